// @vitest-environment happy-dom
import type { Delivery, NotificationTarget, NotifierType } from '@hub/contract'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it } from 'vitest'
import { AccountNotifications } from '../../domain/notifications/account-card.tsx'
import { SignedInOnly } from '../../layout/session/guards.tsx'
import { data, type Request, refusal, serve, show } from '../../test/setup.tsx'
import { NotificationsPage } from './page.tsx'

const hook: NotificationTarget = {
  ...{ id: 5, name: 'Operators', type: 'webhook', config: { url: 'https://hooks.example/' } },
  ...{ events: ['channel.status', 'node.lost'], secrets_set: ['secret'], language: 'en_US' },
  ...{ digest: 'hourly', quiet_from: '22:00', quiet_to: '08:00', enabled: true, created_at: 1 },
}
const types: NotifierType[] = [
  { type: 'email', name: 'E-mail', config: { properties: {} } },
  {
    type: 'webhook',
    name: 'Webhook',
    config: { properties: { url: {}, secret: { secret: true } }, required: ['url', 'secret'] },
  },
]
const failed: Delivery = {
  ...{ id: 9, event: 'channel.status', target_id: 5, target_name: 'Operators', state: 'failed' },
  ...{ count: 3, attempts: 12, created_at: 1_700_000_000, next_attempt_at: 0, ended_at: 1 },
  ...{ title: 'Channel A (#1) was disabled', failure: '410 gone' },
}
const page = (rows: object[]) =>
  data({ data: rows, page: 1, size: 10, total_count: rows.length, total_exact: true })

type Answers = { test?: Partial<Delivery>; targets?: ReturnType<typeof refusal> }

const open = async (scope: 'site' | 'account', { test, targets }: Answers = {}) => {
  const base = scope === 'site' ? '/api/notification/' : '/api/user/notification/'
  const requests = serve(({ method, path }: Request) => {
    if (path === '/api/user/session') return data({ id: 1, role: scope === 'site' ? 10 : 1 })
    if (path === `${base}type`) return data(types)
    if (path === `${base}reminder`) return data({ threshold: null, site_threshold: 1000 })
    if (path.endsWith('/test')) return data({ ...failed, ...test })
    if (path === `${base}delivery`) return page([failed])
    if (method === 'GET' && path === base) return targets ?? page([hook])
    return data(hook)
  })
  const element = scope === 'site' ? <NotificationsPage /> : <AccountNotifications />
  await show(<SignedInOnly />, '/panel/notification', element)
  return requests
}
const writes = (requests: Request[]) =>
  requests
    .filter(each => each.method !== 'GET')
    .map(({ method, path, body }) => ({ method, path, body }))
const openMenu = async (item: string) => {
  await userEvent.click(await screen.findByRole('button', { name: 'Actions for Operators' }))
  await userEvent.click(screen.getByRole('menuitem', { name: item }))
}

it('a target shows its service, digest and quiet hours, and is switched off and deleted', async () => {
  const requests = await open('site')
  expect(await screen.findByText('Webhook · Events: 2 · Hourly · Quiet 22:00–08:00')).toBeTruthy()
  await userEvent.click(screen.getByRole('switch', { name: 'Enable “Operators”' }))
  await openMenu('Delete')
  const dialog = within(await screen.findByRole('alertdialog'))
  expect(dialog.getByText(/also waiting ones/)).toBeTruthy()
  await userEvent.click(dialog.getByRole('button', { name: 'Delete' }))
  await screen.findByText('Target deleted')
  expect(writes(requests)).toEqual([
    { method: 'PUT', path: '/api/notification/', body: { id: 5, enabled: false } },
    { method: 'DELETE', path: '/api/notification/5', body: undefined },
  ])
})

it.each([
  [{ state: 'sent', failure: '' }, 'Test message delivered'],
  [{ state: 'failed', failure: '401 wrong signature' }, '401 wrong signature'],
  [{ state: 'waiting', failure: '' }, 'The test message is queued until the service allows it'],
] as const)('a test that ends as %o says so', async (test, message) => {
  const requests = await open('site', { test })
  await userEvent.click(await screen.findByRole('button', { name: 'Test “Operators”' }))
  expect(await screen.findByText(message)).toBeTruthy()
  expect(writes(requests)).toMatchObject([{ method: 'POST', path: '/api/notification/5/test' }])
})

it('a new target has the fields of its service, and the events of administrators', async () => {
  const requests = await open('site')
  await screen.findByText(/Webhook · /)
  await userEvent.click(screen.getByRole('button', { name: 'Add target' }))
  const dialog = within(await screen.findByRole('dialog'))
  expect(dialog.getByText('Mail goes to the address of your account.')).toBeTruthy()
  await userEvent.type(dialog.getByRole('textbox', { name: /^Name/ }), 'New')
  await userEvent.click(dialog.getByRole('combobox', { name: /^Type/ }))
  await userEvent.click(screen.getByRole('option', { name: 'Webhook' }))
  await userEvent.type(dialog.getByLabelText(/^Webhook address/), 'https://hooks.example/')
  await userEvent.type(dialog.getByLabelText(/^Signing secret/), 'a secret of 16 characters')
  expect(dialog.queryByRole('checkbox', { name: 'Low balance' })).toBeNull()
  for (const name of ['Node lost', 'Backup failed'])
    await userEvent.click(dialog.getByRole('checkbox', { name }))
  await userEvent.click(dialog.getByRole('button', { name: 'Add target' }))
  await screen.findByText('Target added')
  const config = { url: 'https://hooks.example/', secret: 'a secret of 16 characters' }
  expect(writes(requests)).toMatchObject([
    {
      ...{ method: 'POST', path: '/api/notification/' },
      body: { name: 'New', type: 'webhook', config, events: ['node.lost', 'backup.failed'] },
    },
  ])
})

it('a stored secret is never shown, and stays when its field is empty', async () => {
  const requests = await open('site')
  await openMenu('Edit')
  const dialog = within(await screen.findByRole('dialog'))
  expect(dialog.getByText('Set. Leave it empty to keep it.')).toBeTruthy()
  expect((dialog.getByLabelText(/^Signing secret/) as HTMLInputElement).value).toBe('')
  await userEvent.click(dialog.getByRole('checkbox', { name: 'Node lost' }))
  await userEvent.click(dialog.getByRole('button', { name: 'Save target' }))
  await waitFor(() => expect(writes(requests)).toHaveLength(1))
  expect(writes(requests)[0]?.body).toMatchObject({
    ...{ id: 5, config: { url: 'https://hooks.example/' }, events: ['channel.status'] },
    ...{ digest: 'hourly', quiet_from: '22:00', quiet_to: '08:00' },
  })
})

it('a failed delivery shows its reason, and is sent again', async () => {
  const requests = await open('site')
  await userEvent.click(await screen.findByText('Channel A (#1) was disabled'))
  const details = within(await screen.findByRole('dialog'))
  expect(details.getByText('Channel disabled or enabled')).toBeTruthy()
  expect(details.getByText('410 gone')).toBeTruthy()
  await userEvent.keyboard('{Escape}')
  const label = 'Actions for Channel A (#1) was disabled'
  await userEvent.click(await screen.findByRole('button', { name: label }))
  await userEvent.click(screen.getByRole('menuitem', { name: 'Send again' }))
  await screen.findByText('Queued again')
  expect(writes(requests)).toMatchObject([
    { method: 'POST', path: '/api/notification/delivery/9/resend' },
  ])
})

it('a list of targets that cannot be read offers another attempt', async () => {
  await open('site', { targets: refusal(500, 'server.failed') })
  expect(await screen.findByRole('button', { name: 'Try again' })).toBeTruthy()
})

it('a user has events of the account, the last deliveries, and a threshold', async () => {
  const requests = await open('account')
  expect(await screen.findByText('Channel A (#1) was disabled')).toBeTruthy()
  expect(screen.getByText(/410 gone/)).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: 'Send again' }))
  await screen.findByText('Queued again')
  await userEvent.type(await screen.findByLabelText(/^Remind below this balance/), '5')
  await userEvent.click(screen.getByRole('button', { name: 'Save' }))
  await screen.findByText('Saved')
  await userEvent.click(screen.getByRole('button', { name: 'Add target' }))
  const dialog = within(await screen.findByRole('dialog'))
  expect(dialog.getByRole('checkbox', { name: 'Low balance' })).toBeTruthy()
  expect(dialog.queryByRole('checkbox', { name: 'Node lost' })).toBeNull()
  expect(writes(requests)).toMatchObject([
    { method: 'POST', path: '/api/user/notification/delivery/9/resend' },
    { method: 'PUT', path: '/api/user/notification/reminder', body: { threshold: 2_500_000 } },
  ])
})
