import type { Provider } from '@hub/contract'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { data, refusal, serve, show } from '../../../test/setup.tsx'
import { storedChannel } from '../../../test/stored-channel.ts'
import { CreateChannel } from './channel-form.tsx'
import { ModelPicker } from './model-picker.tsx'

const provider: Provider = {
  type: 1,
  id: 'openai',
  name: 'OpenAI',
  base_url: 'https://api.openai.com',
  links: { keys: 'https://platform.openai.com/api-keys' },
  key_hint: 'API key',
  operations: ['chat'],
  dialects: ['openai-chat'],
  models: ['gpt-4o'],
  test_model: 'gpt-4o',
  can_list_models: true,
  can_tell_balance: false,
  options: {},
}
const created = storedChannel({ name: 'OpenAI' })

const open = async (testPasses: boolean) => {
  const onClose = vi.fn()
  const requests = serve(({ method, path }) => {
    if (path === '/api/providers/') return data([provider])
    if (path === '/api/channel/models') return { body: { object: 'list', data: [] } }
    if (path === '/api/channel/7')
      return data({ ...created, test_time: 1_790_000_000, test_error: 'Incorrect API key: ***' })
    if (path === '/api/channel/test/7')
      return testPasses
        ? data({ time: 0.4, model: 'gpt-4o' })
        : refusal(422, 'channel.test_failed', 'The channel test failed.')
    if (method === 'POST' && path === '/api/channel/') return data([created])
    return data(['default'])
  })
  await show(<CreateChannel onClose={onClose} />)
  const dialog = await screen.findByRole('dialog', { name: 'Create channel' })
  fireEvent.change(within(dialog).getByLabelText(/^Key/), { target: { value: 'sk-1' } })
  return { onClose, requests, dialog }
}

it('a new channel has the name of its provider, and its form links to the page with the keys', async () => {
  const { dialog } = await open(true)
  expect(within(dialog).getByLabelText<HTMLInputElement>(/^Name/).value).toBe('OpenAI')
  const link = within(dialog).getByRole('link', { name: 'platform.openai.com/api-keys' })
  expect(link.getAttribute('href')).toBe('https://platform.openai.com/api-keys')
})

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
  const isCreation = ({ method, path }: (typeof requests)[number]) =>
    method === 'POST' && path === '/api/channel/'
  expect(requests.filter(isCreation)).toHaveLength(1)
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
