// @vitest-environment happy-dom
import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it } from 'vitest'
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
