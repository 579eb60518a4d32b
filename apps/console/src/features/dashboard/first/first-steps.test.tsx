import type { FirstSteps as Steps } from '@hub/contract'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { data, serve, show } from '../../../test/setup.tsx'
import { FirstSteps } from './first-steps.tsx'
import { useFirstSteps } from './use-first-steps.ts'

const forms = {
  channel: ({ channelId }: { channelId?: number }) => <p>form of channel {channelId ?? 'new'}</p>,
  token: () => <p>form of a token</p>,
}

const Shown = () => {
  const { isNeeded, isLoading: _, steps, ...first } = useFirstSteps(true)
  return isNeeded && steps ? <FirstSteps {...first} steps={steps} forms={forms} /> : null
}

const done: Steps = {
  address: { done: true },
  channel: {
    ...{ done: true, missing: '', channel_id: 0, channel_name: '' },
    ...{ unpriced: [], unpriced_count: 0 },
  },
  key: { done: true, missing: '', token_id: 1, token_name: 'mine' },
  call: { done: false, missing: 'none', log_id: 0, code: '' },
}
const missing = (kind: Steps['channel']['missing'], unpriced: string[] = []): Steps['channel'] => ({
  ...{ done: kind === '', missing: kind, channel_id: 7, channel_name: 'Main' },
  ...{ unpriced, unpriced_count: unpriced.length },
})

const open = async (more: Partial<Steps> = {}, user: object = { role: 10 }) => {
  const list = (rows: unknown[]) =>
    data({ data: rows, page: 1, size: 1, total_count: rows.length, total_exact: true })
  const requests = serve(({ method, path }) => {
    if (path === '/api/status') return data({ server_address: '' })
    if (path === '/api/user/session') return data({ id: 1, username: 'ann', ...user })
    if (path === '/api/operations/first_steps') return data({ ...done, ...more })
    if (path === '/api/available_model') return data({ a: {} })
    if (path === '/api/token/' && method === 'POST')
      return data({ id: 5, name: 'x', key: 'sk-new' })
    return list([])
  })
  await show(<Shown />)
  await screen.findByText('Get started')
  return requests
}
const stepOf = (title: string) => within(screen.getByText(title).closest('li')!)
const channelStep = () => stepOf('Add a channel with prices')

it.each([
  ['none', 'There is no channel yet.', 'Add channel', 'form of channel new'],
  [
    'disabled',
    '“Main” is disabled. Test it, then enable it.',
    'Test and enable',
    'form of channel 7',
  ],
] as const)(
  'a channel step that misses “%s” says so and opens its form',
  async (kind, text, label, form) => {
    await open({ channel: missing(kind) })
    expect(channelStep().getByText(text)).toBeTruthy()
    expect(channelStep().queryByTitle('Done')).toBeNull()
    fireEvent.click(channelStep().getByRole('button', { name: label }))
    expect(await screen.findByText(form)).toBeTruthy()
    // Nothing can be called, so there is no command yet.
    expect(screen.queryByLabelText('curl')).toBeNull()
  },
)

it.each([
  ['unusable', 'of the type of “Main” cannot be called', '/panel/channel/7'],
  ['group', 'may use the groups of “Main”', '/panel/channel/7?tab=settings'],
  [
    'unpriced',
    'has no model with a price. Without a price (1): a',
    '/panel/channel/7?tab=settings',
  ],
] as const)(
  'a channel step that misses “%s” leads to the place of it',
  async (kind, text, address) => {
    await open({ channel: missing(kind, kind === 'unpriced' ? ['a'] : []) })
    expect(channelStep().getByText(new RegExp(text.replace(/[()]/g, '\\$&')))).toBeTruthy()
    expect(channelStep().getByRole('link').getAttribute('href')).toBe(address)
  },
)

it('a channel step that is done still names the models without a price', async () => {
  await open({ channel: missing('', ['b', 'c', 'd', 'e']) })
  expect(channelStep().getByTitle('Done')).toBeTruthy()
  expect(channelStep().getByText('Without a price (4): b, c, d, …')).toBeTruthy()
  expect(channelStep().getByRole('link', { name: 'Set prices' })).toBeTruthy()
  expect(await screen.findByLabelText('curl')).toBeTruthy()
})

it.each([
  ['disabled', '“mine” is disabled.', '/panel/token'],
  ['expired', '“mine” has expired.', '/panel/token'],
  ['exhausted', 'The quota of “mine” is used up.', '/panel/token'],
  ['group', 'The group of “mine” is disabled, or not yours.', '/panel/token'],
  ['models', '“mine” allows no model that can be called.', '/panel/token'],
  ['balance', 'Your balance is used up.', '/panel/user'],
] as const)(
  'a token step that misses “%s” leads to the place of it',
  async (kind, text, address) => {
    await open({ key: { done: false, missing: kind, token_id: 1, token_name: 'mine' } })
    const step = stepOf('Create a token')
    expect(step.getByText(text)).toBeTruthy()
    expect(step.getByRole('link').getAttribute('href')).toBe(address)
  },
)

it('a first token takes one click, or has limits by a form', async () => {
  const requests = await open({ key: { ...done.key, done: false, missing: 'none' } })
  const step = stepOf('Create a token')
  fireEvent.click(step.getByRole('button', { name: 'Create token' }))
  await waitFor(() =>
    expect(requests.find(({ method }) => method === 'POST')?.body).toEqual({
      ...{ name: 'First token', unlimited_quota: true },
    }),
  )
  fireEvent.click(step.getByRole('button', { name: 'With limits' }))
  expect(await screen.findByText('form of a token')).toBeTruthy()
})

it('the call step names the fault of the last call, and leads to its log row', async () => {
  await open({ call: { done: false, missing: 'failed', log_id: 9, code: 'model.unknown' } })
  const step = stepOf('Make a call')
  expect(step.getByText(/^The last call failed: /).textContent).not.toContain('model.unknown')
  expect(step.getByRole('link').getAttribute('href')).toBe('/panel/log?open=9')
})

it('a super administrator is asked for the address of the site first, with the trial of one machine', async () => {
  const requests = await open({ address: { done: false } }, { role: 100 })
  fireEvent.click(await screen.findByRole('button', { name: 'Set address' }))
  const field = await screen.findByRole('textbox', { name: /Public address/ })
  expect(field).toHaveProperty('value', location.origin)
  fireEvent.change(field, { target: { value: 'https://hub.example' } })
  expect(screen.queryByRole('switch', { name: 'Local trial' })).toBeNull()
  fireEvent.click(screen.getByRole('button', { name: 'Save address' }))
  await waitFor(() =>
    expect(requests.filter(({ method }) => method === 'PUT')).toMatchObject([
      { path: '/api/option/', body: { key: 'ServerAddress', value: 'https://hub.example' } },
    ]),
  )
})

it('the address that is open becomes the address of the site with one click', async () => {
  vi.stubGlobal('location', new URL('https://hub.example/panel'))
  const requests = await open({ address: { done: false } }, { role: 100 })
  fireEvent.click(await screen.findByRole('button', { name: 'Use https://hub.example' }))
  await waitFor(() =>
    expect(requests.find(({ method }) => method === 'PUT')?.body).toEqual({
      ...{ key: 'ServerAddress', value: 'https://hub.example' },
    }),
  )
  expect(screen.getByRole('button', { name: 'Other address' })).toBeTruthy()
  vi.unstubAllGlobals()
})
