import {
  type Channel,
  ChannelFields,
  type Price,
  type PriceSuggestion,
  type Provider,
} from '@hub/contract'
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, it, vi } from 'vitest'
import { queryClient } from '../../../api/session.ts'
import { sessionQuery } from '../../../api/site.ts'
import pluginTexts from '../../../locales/en_US/channel-plugins.json' with { type: 'json' }
import locale from '../../../locales/en_US/channels.json' with { type: 'json' }
import { data, refusal, serve, show } from '../../../test/setup.tsx'
import { storedChannel } from '../../../test/stored-channel.ts'
import { ModelPicker } from '../form/model-picker.tsx'
import { CreateChannel } from './create-channel.tsx'

const provider: Provider = {
  type: 1,
  id: 'openai',
  name: 'OpenAI',
  base_url: 'https://api.openai.com',
  address_presets: [{ name: 'Mirror', base_url: 'https://mirror.example' }],
  links: { keys: 'https://platform.openai.com/api-keys' },
  key_hint: 'API key',
  operations: ['chat'],
  dialects: ['openai-chat'],
  models: ['gpt-4o', 'gpt-4.1'],
  test_model: 'gpt-4o',
  can_list_models: true,
  can_tell_balance: false,
  free_field: '',
  options: {},
}
const other: Provider = { ...provider, type: 14, id: 'anthropic', name: 'Anthropic', models: ['c'] }

const created = (more: Partial<Channel> = {}) =>
  storedChannel({ name: 'OpenAI', status: 2, models: 'gpt-4o,gpt-4.1', ...more })

const price = (model: string, input: number): Price => ({
  ...{ model, type: 'tokens', channel_type: 1, input, output: input, locked: false },
  ...{ extra_ratios: null, tiers: null, tool_prices: null },
})

const suggest = ({ models }: { models: string[] }, unpriced: Record<string, number | null>) =>
  models.map((model): PriceSuggestion => {
    const amount = unpriced[model]
    const found = amount === undefined || amount === null ? null : price(model, amount)
    const from = { source: 'https://vendor.example/prices', date: '2026-11-27', note: '' }
    const origin = found && ('shipped' as const)
    return { ...from, model, price: found, origin, has_price: amount === undefined }
  })

type Options = {
  made?: Channel[]
  /** The models whose test fails, with the words of the provider. */
  failing?: Record<string, string>
  more?: Partial<Provider>
  /** The creation is refused at this field. */
  refused?: string
  /** Models without a price, with the input amount that is suggested for them. */
  unpriced?: Record<string, number | null>
  /** The models that the provider lists. */
  listed?: string[]
}

const startServer = ({
  made = [created()],
  failing = {},
  more = {},
  refused,
  ...rest
}: Options) => {
  const { unpriced = {}, listed = [] } = rest
  const tests: object[] = []
  return serve(({ method, path, body }) => {
    if (path === '/api/providers/') return data([{ ...provider, ...more }, other])
    if (path === '/api/prices/suggest') return data(suggest(body as { models: string[] }, unpriced))
    if (path === '/api/prices/') return data([price('gpt-4o', 1.25)])
    if (path === '/api/channel/provider_models_list') return data(listed)
    if (path === '/api/channel/models') return { body: { object: 'list', data: [] } }
    if (path.startsWith('/api/channel/test/')) {
      const { model } = body as { model: string }
      const error = failing[model] ?? ''
      tests.push({ model, at: 1_790_000_000, ms: error ? 0 : 400, error, kind: 'call' })
      return error
        ? refusal(422, 'channel.test_failed', 'The channel test failed.')
        : data({ time: 0.4, model, kind: 'call' })
    }
    if (path.endsWith('/model_tests')) return data(tests)
    if (method === 'POST' && path === '/api/channel/' && refused)
      return refusal(400, 'request.invalid', `\`${refused}\`: is wrong`)
    if (method === 'POST' && path === '/api/channel/') return data(made)
    if (method === 'PUT' && path === '/api/channel/') return data(made[0])
    if (path === '/api/channel/batch/status') return data(made.length)
    if (path === '/api/channel/batch') return data(made.length)
    const one = made.find(each => path === `/api/channel/${each.id}`)
    if (one) return data(one)
    return data(['default'])
  })
}

beforeEach(() => {
  sessionStorage.clear()
  queryClient.setQueryData(sessionQuery.queryKey, { id: 3, username: 'ada', role: 10 } as never)
})

const open = async (options: Options = {}) => {
  const onClose = vi.fn()
  const requests = startServer(options)
  await show(<CreateChannel onClose={onClose} />)
  const dialog = await screen.findByRole('dialog', { name: 'Create channel' })
  fireEvent.click(await within(dialog).findByRole('radio', { name: 'OpenAI' }))
  await within(dialog).findByLabelText(/^Key/)
  return { onClose, requests, dialog }
}
const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }))
const typeKey = (key: string) =>
  fireEvent.change(screen.getByLabelText(/^Key/), { target: { value: key } })
const toModels = async () => {
  press('Next')
  await screen.findByRole('button', { name: 'Store and test' })
}
const toTests = async () => {
  await toModels()
  press('Store and test')
  await screen.findByRole('button', { name: 'Enable' })
}
const toTestsFromModels = async () => {
  press('Store and test')
  await screen.findByRole('button', { name: 'Enable' })
}
const bodyOf = (requests: { method: string; path: string; body: unknown }[], line: string) =>
  requests.find(({ method, path }) => `${method} ${path}` === line)?.body

it('a new channel has the name of its provider, and its form links to its keys and suggests addresses', async () => {
  const { dialog } = await open()
  expect(within(dialog).getByLabelText<HTMLInputElement>(/^Name/).value).toBe('OpenAI')
  const link = within(dialog).getByRole('link', { name: 'platform.openai.com/api-keys' })
  expect(link.getAttribute('href')).toBe('https://platform.openai.com/api-keys')
  const address = within(dialog).getByDisplayValue<HTMLInputElement>('https://api.openai.com')
  expect([...address.list!.options].map(each => each.value)).toEqual(['https://mirror.example'])
  // A search finds another type, which brings its own defaults.
  fireEvent.change(within(dialog).getByRole('searchbox'), { target: { value: 'anthr' } })
  expect(within(dialog).getAllByRole('radio')).toHaveLength(1)
  fireEvent.click(within(dialog).getByRole('radio', { name: 'Anthropic' }))
  expect(within(dialog).getByLabelText<HTMLInputElement>(/^Name/).value).toBe('Anthropic')
})

it.each([
  ['region', []],
  ['', ['other']],
] as const)(
  'the steps of a type with the free field “%s” have every field but %j',
  async (free_field, absent) => {
    const properties = { enable: { type: 'boolean', default: false } }
    const options = { properties: { web_search: { properties } } }
    const { dialog } = await open({ more: { options, free_field } })
    const unfold = () => {
      for (const name of Object.values(locale.sections)) {
        const section = within(dialog).queryByRole('button', { name: new RegExp(`^${name}`) })
        if (section) fireEvent.click(section)
      }
    }
    const { plugin, ...fields } = ChannelFields.shape
    const labels = [...Object.keys(fields).map(labelOf), pluginTexts.web_search.title]
    const missing = () => labels.filter(each => within(dialog).queryAllByText(each).length === 0)
    unfold()
    const missingFirst = missing()
    typeKey('sk-1')
    await toModels()
    unfold()
    // The options of plugins come in a chunk of their own.
    await waitFor(() => {
      const missingTwice = missing().filter(each => missingFirst.includes(each))
      expect(missingTwice).toEqual(absent.map(labelOf))
    })
  },
)

const labelOf = (name: string): string => locale.fields[name as keyof typeof locale.fields]

it('a new channel is stored disabled, tested with one model, and enabled at the end', async () => {
  const { onClose, requests } = await open()
  press('Next')
  expect(await screen.findByRole('alert')).toBeTruthy()
  typeKey('sk-1')
  await toTests()
  expect(bodyOf(requests, 'POST /api/channel/')).toMatchObject({ key: 'sk-1', status: 2 })
  const results = screen.getByRole('list', { name: 'Tests' })
  expect(await within(results).findByText('400 ms')).toBeTruthy()
  expect(within(results).getAllByText('Not tested')).toHaveLength(1)
  const tested = requests.filter(each => each.path === '/api/channel/test/7')
  expect(tested.map(each => each.body)).toEqual([{ model: 'gpt-4o' }])
  press('Enable')
  await waitFor(() => expect(onClose).toHaveBeenCalled())
  expect(bodyOf(requests, 'PUT /api/channel/batch/status')).toEqual({ ids: [7], status: 1 })
  expect(sessionStorage.length).toBe(0)
})

it('all models are tested on demand, each with the words of the provider', async () => {
  await open({ failing: { 'gpt-4.1': 'No access to gpt-4.1' } })
  typeKey('sk-1')
  await toTests()
  const results = screen.getByRole('list', { name: 'Tests' })
  await within(results).findByText('400 ms')
  press('Test all models')
  expect(await screen.findByText('All 2 tested, 1 failed')).toBeTruthy()
  const rows = within(results).getAllByRole('listitem')
  expect(rows.map(each => each.textContent)).toEqual([
    'gpt-4o400 ms',
    'gpt-4.1FailedNo access to gpt-4.1',
  ])
})

it('a way back changes the stored channel, and a change is tested again', async () => {
  const { requests } = await open()
  typeKey('sk-1')
  await toTests()
  await screen.findByText('400 ms')
  press('Back')
  press('Back')
  fireEvent.change(await screen.findByLabelText(/^Name/), { target: { value: 'Renamed' } })
  expect(screen.getByText('1 stored')).toBeTruthy()
  await toTests()
  expect(bodyOf(requests, 'PUT /api/channel/')).toEqual({ id: 7, name: 'Renamed' })
  expect(requests.filter(each => each.path === '/api/channel/')).toHaveLength(2)
  await waitFor(() =>
    expect(requests.filter(each => each.path === '/api/channel/test/7')).toHaveLength(2),
  )
})

it('a draft survives a reload without its secrets, and can be discarded', async () => {
  const first = await open()
  typeKey('sk-secret')
  fireEvent.change(screen.getByLabelText(/^Name/), { target: { value: 'Mine' } })
  await toModels()
  expect(JSON.stringify({ ...sessionStorage })).toContain('Mine')
  expect(JSON.stringify({ ...sessionStorage })).not.toContain('sk-secret')
  expect(first.requests.some(each => each.path === '/api/channel/')).toBe(false)
  cleanup()
  const onClose = vi.fn()
  await show(<CreateChannel onClose={onClose} />)
  expect(await screen.findByText(/Your draft is back/)).toBeTruthy()
  // The key is missing now, so that storing leads back to it.
  press('Store and test')
  expect((await screen.findByLabelText<HTMLInputElement>(/^Key/)).value).toBe('')
  expect(screen.getByLabelText<HTMLInputElement>(/^Name/).value).toBe('Mine')
  press('Discard draft')
  const question = await screen.findByRole('alertdialog')
  fireEvent.click(within(question).getByRole('button', { name: 'Discard draft' }))
  await waitFor(() => expect(onClose).toHaveBeenCalled())
  expect(sessionStorage.length).toBe(0)
})

it('a refusal leads to the step of its field', async () => {
  const { dialog } = await open({ refused: 'base_url' })
  typeKey('sk-1')
  await toModels()
  press('Store and test')
  const address = await within(dialog).findByDisplayValue('https://api.openai.com')
  await waitFor(() => expect(address.getAttribute('aria-invalid')).toBe('true'))
  expect(screen.getByLabelText<HTMLInputElement>(/^Key/).value).toBe('sk-1')
})

it('several keys make several channels, each tested with one model and enabled together', async () => {
  const made = [7, 8, 9].map(id => created({ id, name: `OpenAI_${id}` }))
  const { requests } = await open({ made })
  typeKey('sk-1\nsk-2\nsk-3')
  await toTests()
  const results = screen.getByRole('list', { name: 'Tests' })
  expect(await screen.findByText('All 3 tested, 0 failed')).toBeTruthy()
  const rows = within(results).getAllByRole('listitem')
  expect(rows.map(each => each.textContent)).toEqual(
    [7, 8, 9].map(id => `OpenAI_${id}gpt-4o400 ms`),
  )
  press('Enable')
  await waitFor(() =>
    expect(bodyOf(requests, 'PUT /api/channel/batch/status')).toEqual({
      ids: [7, 8, 9],
      status: 1,
    }),
  )
})

it('stored channels are deleted with their draft', async () => {
  const { requests, onClose } = await open()
  typeKey('sk-1')
  await toTests()
  press('Discard draft')
  const question = await screen.findByRole('alertdialog')
  expect(question.textContent).toContain('The channels and their keys are deleted.')
  fireEvent.click(within(question).getByRole('button', { name: 'Discard draft' }))
  await waitFor(() => expect(onClose).toHaveBeenCalled())
  expect(bodyOf(requests, 'DELETE /api/channel/batch')).toEqual({ ids: [7] })
})

const modelsOf = (dialog: HTMLElement) =>
  within(dialog).getByRole('region', { name: /^(Models without a price|Prices that are stored)/ })
const sentPrices = (requests: Parameters<typeof bodyOf>[0]) =>
  (bodyOf(requests, 'POST /api/channel/') as { prices: Price[] }).prices.map(each => [
    each.model,
    each.input,
    each.output,
  ])

it('models without a price get the suggested ones with one click, stored together with the channel', async () => {
  const { requests, dialog } = await open({ unpriced: { 'gpt-4o': 2, 'gpt-4.1': 3 } })
  typeKey('sk-1')
  await toModels()
  expect(await screen.findByText('Models without a price: 2')).toBeTruthy()
  press('Use suggested prices (2)')
  expect(await screen.findByText('Prices that are stored with the channel: 2')).toBeTruthy()
  expect(within(modelsOf(dialog)).getAllByText('$4')).toHaveLength(2)
  await toTestsFromModels()
  expect(sentPrices(requests).toSorted()).toEqual([
    ['gpt-4.1', 3, 3],
    ['gpt-4o', 2, 2],
  ])
})

it('each model without a price is priced, made free, left out, or costs the same as another', async () => {
  const unpriced = { a: null, b: null, c: null, d: null }
  const { requests, dialog } = await open({ more: { models: ['a', 'b', 'c', 'd'] }, unpriced })
  typeKey('sk-1')
  await toModels()
  await screen.findByText('Models without a price: 4')
  const row = (model: string) =>
    within(modelsOf(dialog))
      .getAllByRole('listitem')
      .find(each => each.textContent?.startsWith(model))!
  const type = (label: string, value: string) =>
    fireEvent.change(within(row('a')).getByLabelText(label), { target: { value } })
  type('Input', '2')
  // One amount is no price yet, and nothing is free because of a 0.
  expect(screen.getByText('Models without a price: 4')).toBeTruthy()
  type('Output', '8')
  expect(await screen.findByText('Models without a price: 3')).toBeTruthy()
  fireEvent.click(within(row('b')).getByRole('button', { name: 'Free' }))
  expect(row('b').textContent).toContain('cost nothing')
  fireEvent.click(within(row('c')).getByRole('button', { name: 'Leave out' }))
  await waitFor(() => expect(row('c')).toBeUndefined())
  fireEvent.click(within(row('d')).getByRole('button', { name: 'Same price as another model' }))
  const search = within(row('d')).getByRole('combobox', { name: 'Model whose price is used' })
  fireEvent.change(search, { target: { value: 'gpt' } })
  fireEvent.click(await screen.findByRole('option', { name: 'gpt-4o' }))
  expect(await screen.findByText('Prices that are stored with the channel: 3')).toBeTruthy()
  await toTestsFromModels()
  expect(sentPrices(requests).toSorted()).toEqual([
    ['a', 1, 4],
    ['b', 0, 0],
    ['d', 1.25, 1.25],
  ])
  expect(bodyOf(requests, 'POST /api/channel/')).toMatchObject({ models: 'a,b,d', test_model: '' })
})

it('a model without a choice is stored only after the question what happens to it', async () => {
  const { requests } = await open({ unpriced: { 'gpt-4.1': null } })
  typeKey('sk-1')
  await toModels()
  press('Store and test')
  const question = await screen.findByRole('alertdialog')
  expect(question.textContent).toContain('Calls to gpt-4.1 are refused')
  expect(bodyOf(requests, 'POST /api/channel/')).toBeUndefined()
  fireEvent.click(within(question).getByRole('button', { name: 'Store anyway' }))
  await screen.findByRole('button', { name: 'Enable' })
  expect(sentPrices(requests)).toEqual([])
})

it('an empty list of models is filled with the few that the provider lists', async () => {
  const { requests } = await open({ more: { models: [], test_model: '' }, listed: ['house-model'] })
  typeKey('sk-1')
  await toModels()
  expect(await screen.findByText('house-model')).toBeTruthy()
  await toTestsFromModels()
  expect(bodyOf(requests, 'POST /api/channel/')).toMatchObject({ models: 'house-model' })
})

it('several keys can make one channel that uses them all', async () => {
  const { requests, dialog } = await open()
  const modes = () => within(dialog).queryByRole('radio', { name: /One channel/ })
  typeKey('sk-1')
  expect(modes()).toBeNull()
  typeKey('sk-1\nsk-2')
  fireEvent.click(within(dialog).getByRole('radio', { name: 'One channel with 2 keys' }))
  await toTests()
  expect(bodyOf(requests, 'POST /api/channel/')).toMatchObject({ key_mode: 'one_channel' })
})

it('fetched models are preselected and replace the current ones', async () => {
  const onSelect = vi.fn()
  const pick = (current: string[]) =>
    show(<ModelPicker offered={['b', 'a']} {...{ current, onSelect }} onClose={() => {}} />)
  await pick(['old'])
  fireEvent.click(screen.getByRole('button', { name: 'Use selected (2)' }))
  expect(onSelect).toHaveBeenLastCalledWith(['a', 'b'])
  fireEvent.click(screen.getByRole('button', { name: 'Deselect all' }))
  const use = screen.getByRole<HTMLButtonElement>('button', { name: 'Use selected (0)' })
  expect(use.disabled).toBe(true)
})
