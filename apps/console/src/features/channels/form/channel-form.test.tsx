import type { Provider } from '@hub/contract'
import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react'
import { beforeEach, expect, it } from 'vitest'
import { queryClient } from '../../../api/session.ts'
import { sessionQuery } from '../../../api/site.ts'
import { data, refusal, serve, show } from '../../../test/setup.tsx'
import { storedChannel } from '../../../test/stored-channel.ts'
import { ChannelSettings } from './channel-form.tsx'

const provider: Partial<Provider> = {
  ...{ type: 1, id: 'openai', name: 'OpenAI', base_url: 'https://api.openai.com' },
  ...{ address_presets: [], links: {}, key_hint: '', operations: ['chat'], models: [] },
  ...{ test_model: '', can_list_models: false, free_field: '', options: {} },
}
const channel = storedChannel()

beforeEach(() => {
  sessionStorage.clear()
  queryClient.setQueryData(sessionQuery.queryKey, { id: 3, username: 'ada', role: 10 } as never)
})

const open = async (refused?: string) => {
  const requests = serve(({ method, path }) => {
    if (path === '/api/providers/') return data([provider])
    if (path === '/api/channel/models') return { body: { object: 'list', data: [] } }
    if (method === 'PUT' && refused)
      return refusal(400, 'request.invalid', `\`${refused}\`: is wrong`)
    return method === 'PUT' ? data(channel) : data(['default'])
  })
  await show(<ChannelSettings channel={channel} />)
  await screen.findByLabelText(/^Name/)
  return requests
}
const nameField = () => screen.getByLabelText<HTMLInputElement>(/^Name/)
const type = (value: string) => fireEvent.change(nameField(), { target: { value } })
const typeKey = () => {
  fireEvent.click(screen.getByText('Replace'))
  fireEvent.change(screen.getByLabelText(/^Key/), { target: { value: 'sk-secret' } })
}
const save = () => fireEvent.click(screen.getByRole('button', { name: 'Save channel' }))

it('typed values survive a reload, but no secret does', async () => {
  await open()
  type('renamed')
  typeKey()
  expect(JSON.stringify({ ...sessionStorage })).toContain('renamed')
  expect(JSON.stringify({ ...sessionStorage })).not.toContain('sk-secret')
  cleanup()
  await open()
  expect(await screen.findByDisplayValue('renamed')).toBeTruthy()
  expect(screen.getByText(/Your unsaved changes are back/)).toBeTruthy()
  expect(screen.getByText('1 stored')).toBeTruthy()
  fireEvent.click(screen.getByRole('button', { name: 'Discard changes' }))
  expect(nameField().value).toBe('main')
  expect(sessionStorage.length).toBe(0)
})

it('only changed fields are sent, and a saved form keeps neither draft nor key', async () => {
  const requests = await open()
  type('renamed')
  typeKey()
  save()
  await waitFor(() => expect(screen.queryByLabelText(/^Key/)?.tagName).not.toBe('TEXTAREA'))
  expect(requests.find(each => each.method === 'PUT')?.body).toEqual({
    id: 7,
    name: 'renamed',
    key: 'sk-secret',
  })
  expect(sessionStorage.length).toBe(0)
})

it('a refusal stands at its field, and the typed values stay', async () => {
  await open('name')
  type('renamed')
  save()
  await waitFor(() => expect(nameField().getAttribute('aria-invalid')).toBe('true'))
  expect(nameField().value).toBe('renamed')
  expect(JSON.stringify({ ...sessionStorage })).toContain('renamed')
})
