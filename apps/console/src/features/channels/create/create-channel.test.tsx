import { type Channel, ChannelFields, type Provider } from '@hub/contract'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
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
  models: ['gpt-4o'],
  test_model: 'gpt-4o',
  can_list_models: true,
  can_tell_balance: false,
  free_field: '',
  options: {},
}
const created = storedChannel({ name: 'OpenAI' })

const isCreation = ({ method, path }: { method: string; path: string }) =>
  method === 'POST' && path === '/api/channel/'

const open = async (testPasses: boolean, several?: Channel[], more: Partial<Provider> = {}) => {
  const onClose = vi.fn()
  const requests = serve(({ method, path }) => {
    if (path === '/api/providers/') return data([{ ...provider, ...more }])
    const one = several?.find(each => path.endsWith(`/${each.id}`))
    if (one && path.includes('/test/') && one.test_error)
      return refusal(422, 'channel.test_failed', 'The channel test failed.')
    if (one && !path.includes('/test/')) return data(one)
    if (path === '/api/channel/models') return { body: { object: 'list', data: [] } }
    if (path === '/api/channel/7')
      return data({ ...created, test_time: 1_790_000_000, test_error: 'Incorrect API key: ***' })
    if (path.startsWith('/api/channel/test/'))
      return testPasses
        ? data({ time: 0.4, model: 'gpt-4o' })
        : refusal(422, 'channel.test_failed', 'The channel test failed.')
    if (method === 'POST' && path === '/api/channel/') return data(several ?? [created])
    return data(['default'])
  })
  await show(<CreateChannel onClose={onClose} />)
  const dialog = await screen.findByRole('dialog', { name: 'Create channel' })
  fireEvent.change(within(dialog).getByLabelText(/^Key/), { target: { value: 'sk-1' } })
  return { onClose, requests, dialog }
}

it('a new channel has the name of its provider, and its form links to its keys and suggests addresses', async () => {
  const { dialog } = await open(true)
  expect(within(dialog).getByLabelText<HTMLInputElement>(/^Name/).value).toBe('OpenAI')
  const link = within(dialog).getByRole('link', { name: 'platform.openai.com/api-keys' })
  expect(link.getAttribute('href')).toBe('https://platform.openai.com/api-keys')
  const address = within(dialog).getByDisplayValue<HTMLInputElement>('https://api.openai.com')
  expect([...address.list!.options].map(each => each.value)).toEqual(['https://mirror.example'])
})

it.each([
  ['region', []],
  ['', ['other']],
] as const)(
  'the form of a type with the free field “%s” has every field but %j',
  async (free_field, absent) => {
    const properties = { enable: { type: 'boolean', default: false } }
    const options = { properties: { web_search: { properties } } }
    const { dialog } = await open(true, undefined, { options, free_field })
    for (const name of Object.values(locale.sections)) {
      const section = within(dialog).queryByRole('button', { name: new RegExp(`^${name}`) })
      if (section) fireEvent.click(section)
    }
    const { plugin, ...fields } = ChannelFields.shape
    const labels = [...Object.keys(fields).map(labelOf), locale.plugins.web_search.title]
    const missing = labels.filter(each => within(dialog).queryAllByText(each).length === 0)
    expect(missing).toEqual(absent.map(labelOf))
  },
)

const labelOf = (name: string): string => locale.fields[name as keyof typeof locale.fields]

it('a new channel is tested, and its form closes when the test passes', async () => {
  const { onClose, requests } = await open(true)
  fireEvent.click(screen.getByRole('button', { name: 'Create and test' }))
  await waitFor(() => expect(onClose).toHaveBeenCalled())
  expect(requests.map(each => each.path)).toContain('/api/channel/test/7')
})

it('when the test fails, the new channel stays open with the message of the provider', async () => {
  const { onClose, requests } = await open(false)
  fireEvent.click(screen.getByRole('button', { name: 'Create and test' }))
  const dialog = await screen.findByRole('dialog', { name: 'Edit channel “OpenAI”' })
  expect(within(dialog).getByRole('alert').textContent).toContain('Incorrect API key: ***')
  expect(onClose).not.toHaveBeenCalled()
  expect(requests.filter(isCreation)).toHaveLength(1)
})

it('several keys make several channels, which are tested a few at a time, each with its result', async () => {
  const channels = [7, 8, 9, 10, 11, 12].map(id =>
    storedChannel({ id, name: `OpenAI_${id}`, test_error: id === 9 ? 'No such key' : '' }),
  )
  const { onClose, requests, dialog } = await open(true, channels)
  fireEvent.change(within(dialog).getByLabelText(/^Key/), { target: { value: 'sk-1\nsk-2' } })
  fireEvent.click(screen.getByRole('button', { name: 'Create and test' }))
  const results = await screen.findByRole('dialog', { name: 'Tests of the new channels' })
  expect(await within(results).findByText('All 6 tested, 1 failed')).toBeTruthy()
  const rows = within(results)
    .getAllByRole('listitem')
    .map(each => each.textContent)
  expect(rows[0]).toBe('OpenAI_7gpt-4o · 0.40 sPassed')
  expect(rows[2]).toBe('OpenAI_9EditFailedNo such key')
  const tests = requests.filter(each => each.path.startsWith('/api/channel/test/'))
  expect(tests.map(each => each.path)).toHaveLength(6)
  fireEvent.click(within(results).getByRole('button', { name: 'Edit' }))
  expect(await screen.findByRole('dialog', { name: 'Edit channel “OpenAI_9”' })).toBeTruthy()
  expect(onClose).not.toHaveBeenCalled()
})

it('several keys can make one channel that uses them all', async () => {
  const { requests, dialog } = await open(true)
  expect(within(dialog).queryByRole('radio')).toBeNull()
  fireEvent.change(within(dialog).getByLabelText(/^Key/), { target: { value: 'sk-1\nsk-2' } })
  fireEvent.click(within(dialog).getByRole('radio', { name: 'One channel with 2 keys' }))
  fireEvent.click(screen.getByRole('button', { name: 'Create and test' }))
  await waitFor(() => expect(requests.some(isCreation)).toBe(true))
  expect(requests.find(isCreation)?.body).toMatchObject({ key_mode: 'one_channel' })
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
