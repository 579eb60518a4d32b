import { ChannelFields } from '@hub/contract'
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import pluginTexts from '../../../locales/en_US/channel-plugins.json' with { type: 'json' }
import locale from '../../../locales/en_US/channels.json' with { type: 'json' }
import {
  bodyOf,
  created,
  open,
  press,
  toModels,
  toTests,
  typeKey,
} from '../../../test/create-channel.tsx'
import { show } from '../../../test/setup.tsx'
import { ModelPicker } from '../form/model-picker.tsx'
import { CreateChannel } from './create-channel.tsx'

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
