// @vitest-environment happy-dom
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it, vi } from 'vitest'
import { queryClient } from '../../api/session.ts'
import { sessionQuery } from '../../api/site.ts'
import { data, type Request, refusal, serve, show } from '../../test/setup.tsx'
import { TokensPage } from './page.tsx'

const noLimits = {
  limit_model_setting: { enabled: false, models: [] },
  limits_ip_setting: { enabled: false, whitelist: [] },
}
const token = {
  ...{ id: 5, user_id: 1, name: 'laptop', key: 'sk-abcd…wxyz', status: 1, created_time: 1 },
  revealable: true,
  ...{ accessed_time: 0, expired_time: -1, remain_quota: 0, unlimited_quota: true, used_quota: 0 },
  ...{ group: '', backup_group: '', api_rate: null, requests_per_day: null },
  ...{ tokens_per_minute: null, concurrent_requests: null, quota_per_day: null },
  quota_per_month: null,
  setting: { heartbeat: { enabled: false, timeout_seconds: 30 }, limits: noLimits },
}
const self = { id: 1, username: 'root', role: 100, group: 'default', quota: 0, used_quota: 0 }
const group = { symbol: 'default', name: 'Standard', ratio: 1, api_rate: 600 }

const answer = ({ path, method, body }: Request) => {
  if (path === '/api/user/self') return data(self)
  if (path === '/api/user_group_map') return data({ default: group })
  if (path === '/api/available_model') return data({})
  if (path === '/api/group/') return data(['default'])
  const { setting } = (body ?? {}) as Partial<typeof token>
  if (setting && setting.heartbeat.timeout_seconds < 30)
    return refusal(400, 'request.invalid', '`setting.heartbeat.timeout_seconds`: too low.')
  if (method !== 'GET') return data({ ...token, key: 'sk-whole' })
  return data({ data: [token], page: 1, size: 10, total_count: 1, total_exact: true })
}
const sent = (requests: Request[], method: string) =>
  requests.filter(each => each.method === method).map(each => each.body)

it('a key is given a heartbeat of 30 to 90 seconds', async () => {
  const requests = serve(answer)
  queryClient.setQueryData(sessionQuery.queryKey, self as never)
  await show(<TokensPage />)
  await userEvent.click(await screen.findByRole('button', { name: 'Actions for laptop' }))
  await userEvent.click(screen.getByRole('menuitem', { name: 'Edit' }))
  const dialog = within(await screen.findByRole('dialog'))
  await userEvent.click(dialog.getByRole('button', { name: /^Models, addresses, heartbeat/ }))
  await userEvent.click(dialog.getByRole('switch', { name: 'Keep slow calls alive' }))
  const seconds = dialog.getByLabelText('Begin after (seconds, 30 to 90)')
  await userEvent.clear(seconds)
  await userEvent.type(seconds, '20')
  await userEvent.click(dialog.getByRole('button', { name: 'Save token' }))
  expect(await dialog.findByText('Enter 30 to 90 seconds')).toBeTruthy()
  expect(sent(requests, 'PUT')).toEqual([])
  await userEvent.clear(seconds)
  await userEvent.type(seconds, '45')
  await userEvent.click(dialog.getByRole('button', { name: 'Save token' }))
  expect(sent(requests, 'PUT')).toMatchObject([
    { id: 5, setting: { heartbeat: { enabled: true, timeout_seconds: 45 }, limits: noLimits } },
  ])
})

it('a key that was imported by its hash says that nobody can show it', async () => {
  const imported = { ...token, id: 6, name: 'imported', revealable: false }
  serve(request =>
    request.path.startsWith('/api/token/')
      ? data({ data: [token, imported], page: 1, size: 10, total_count: 2, total_exact: true })
      : answer(request),
  )
  queryClient.setQueryData(sessionQuery.queryKey, self as never)
  await show(<TokensPage />)
  expect(await screen.findAllByText('imported, cannot be shown')).toHaveLength(1)
  expect(screen.getByRole('button', { name: 'Copy the key of “laptop”' })).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Copy the key of “imported”' })).toBeNull()
})

/** A list of three tokens; several new ones are answered as the server does. */
const showThree = async () => {
  const rows = [5, 6, 7].map(id => ({ ...token, id, name: `key-${id}` }))
  const requests = serve(request => {
    const { path, method, body } = request
    const { name, count = 1 } = (body ?? {}) as { name: string; count?: number }
    if (path !== '/api/token/batch')
      return path.startsWith('/api/token/') && method === 'GET'
        ? data({ data: rows, page: 1, size: 10, total_count: 3, total_exact: true })
        : answer(request)
    if (method !== 'POST') return data(2)
    const made = Array.from({ length: count }, (_, n) => n + 1)
    return data(made.map(n => ({ ...token, id: n, name: `${name}-${n}`, key: `sk-whole-${n}` })))
  })
  queryClient.setQueryData(sessionQuery.queryKey, self as never)
  await show(<TokensPage />)
  await screen.findByText('key-7')
  return () => requests.filter(each => each.method !== 'GET')
}

it('several keys are created by one request and shown once, to copy and to download as CSV', async () => {
  const saved: Blob[] = []
  vi.spyOn(URL, 'createObjectURL').mockImplementation(blob => {
    saved.push(blob as Blob)
    return 'blob:keys'
  })
  const writes = await showThree()
  await userEvent.click(screen.getByRole('button', { name: 'Create token' }))
  const form = within(await screen.findByRole('dialog'))
  fireEvent.change(form.getByLabelText(/^Name/), { target: { value: 'a'.repeat(30) } })
  const count = form.getByLabelText(/^Quantity/)
  fireEvent.change(count, { target: { value: '2' } })
  await userEvent.click(form.getByRole('button', { name: 'Create token' }))
  expect(await form.findByText(/^Shorten the name/)).toBeTruthy()
  expect(writes()).toEqual([])
  fireEvent.change(form.getByLabelText(/^Name/), { target: { value: 'team' } })
  await userEvent.click(form.getByRole('button', { name: 'Create token' }))
  const made = within(await screen.findByRole('dialog', { name: 'Tokens created: 2' }))
  expect(writes()).toMatchObject([{ method: 'POST', body: { name: 'team', count: 2 } }])
  expect(made.getByLabelText('New keys').textContent).toBe('team-1 sk-whole-1\nteam-2 sk-whole-2\n')
  expect(made.getByRole('button', { name: 'Copy all' })).toBeTruthy()
  await userEvent.click(made.getByRole('button', { name: 'Download as CSV' }))
  expect(await saved[0]?.text()).toContain('Name,Key\r\nteam-1,sk-whole-1\r\nteam-2,sk-whole-2')
})

it('rows are selected with the keyboard and changed by one request', async () => {
  const writes = await showThree()
  for (const id of [5, 7]) {
    screen.getByRole('checkbox', { name: `Select ${id}` }).focus()
    await userEvent.keyboard(' ')
  }
  const bar = within(await screen.findByRole('region', { name: '2 selected' }))
  await userEvent.click(await bar.findByRole('button', { name: 'Edit' }))
  await userEvent.click(screen.getByRole('menuitem', { name: 'Spending limit' }))
  const form = within(await screen.findByRole('dialog', { name: 'Spending limit of 2 tokens' }))
  await userEvent.click(form.getByRole('switch', { name: 'No spending limit' }))
  fireEvent.change(form.getByLabelText(/^Remaining/), { target: { value: '3' } })
  await userEvent.click(form.getByRole('button', { name: 'Save' }))
  await screen.findByText('Tokens changed: 2')
  expect(writes()).toMatchObject([
    {
      path: '/api/token/batch',
      method: 'PUT',
      body: { ids: [5, 7], unlimited_quota: false, remain_quota: 1_500_000 },
    },
  ])
  await waitFor(() => expect(screen.queryByRole('region', { name: '2 selected' })).toBeNull())
})

it('the selected tokens are deleted after a confirmation that names their number', async () => {
  const writes = await showThree()
  await userEvent.click(screen.getByRole('checkbox', { name: 'Select 5' }))
  await userEvent.click(screen.getByRole('checkbox', { name: 'Select 6' }))
  const bar = within(await screen.findByRole('region', { name: '2 selected' }))
  await userEvent.click(await bar.findByRole('button', { name: 'Delete' }))
  const dialog = await screen.findByRole('alertdialog', { name: 'Delete 2 selected tokens?' })
  expect(writes()).toEqual([])
  await userEvent.click(within(dialog).getByRole('button', { name: 'Delete' }))
  await screen.findByText('Tokens deleted: 2')
  expect(writes()).toMatchObject([{ method: 'DELETE', body: { ids: [5, 6] } }])
})

it('on a phone the cards are selected', async () => {
  vi.stubGlobal('matchMedia', (media: string) => ({
    matches: media.includes('599.95'),
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
    addListener: () => undefined,
    removeListener: () => undefined,
  }))
  await showThree()
  expect(screen.queryByRole('table')).toBeNull()
  await userEvent.click(screen.getByRole('checkbox', { name: 'Select 6' }))
  expect(await screen.findByRole('region', { name: '1 selected' })).toBeTruthy()
})
