// @vitest-environment happy-dom
import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it } from 'vitest'
import { deviceOf } from '../../domain/sessions.tsx'
import { SignedInOnly } from '../../layout/session/guards.tsx'
import { data, serve, show } from '../../test/setup.tsx'
import { AccountCards } from './account.tsx'

const user = { id: 2, username: 'ada', role: 1, has_password: true, has_second_factor: false }
const session = (id: string, user_agent: string, current: boolean) => ({
  ...{ id, user_agent, current, ip: '203.0.113.7' },
  ...{ created_at: 1_700_000_000, last_seen_at: 1_700_000_100, expires_at: 1_800_000_000 },
})
const android =
  'Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 Chrome/142.0.0.0 Mobile Safari/537.36'

it('a device is named by browser and system', () => {
  expect(deviceOf(android)).toBe('Chrome · Android')
  expect(deviceOf('curl/8.9')).toBe('curl/8.9')
  expect(deviceOf('')).toBe('')
})

it('another device is signed out after a question, the own one cannot be', async () => {
  const requests = serve(({ path }) => {
    if (path === '/api/user/session') return data({ ...user, quota: 500_000 })
    if (path === '/api/user/sessions')
      return data([
        session('a'.repeat(32), 'Firefox', true),
        session('b'.repeat(32), android, false),
      ])
    return data(null)
  })
  await show(<SignedInOnly />, '/panel/profile', <AccountCards />)
  const button = await screen.findByRole('button', { name: /^Sign out: Chrome · Android/ })
  expect(screen.queryByRole('button', { name: /^Sign out: Firefox/ })).toBeNull()
  await userEvent.click(button)
  const dialog = await screen.findByRole('alertdialog')
  await userEvent.click(within(dialog).getByRole('button', { name: 'Sign out' }))
  expect(await screen.findByText('Signed out')).toBeTruthy()
  expect(requests.filter(each => each.method === 'DELETE').map(each => each.path)).toEqual([
    `/api/user/sessions/${'b'.repeat(32)}`,
  ])
})

it('the account is deleted with the current password only', async () => {
  const requests = serve(({ path }) => {
    if (path === '/api/user/session') return data({ ...user, quota: 500_000 })
    if (path === '/api/user/sessions') return data([])
    return { status: 400, body: { success: false, code: 'password.wrong', message: '' } }
  })
  await show(<SignedInOnly />, '/panel/profile', <AccountCards />)
  await userEvent.click(await screen.findByRole('button', { name: 'Delete my account' }))
  expect(screen.getByText(/balance of \$1.00 is lost/)).toBeTruthy()
  await userEvent.type(screen.getByLabelText(/Current password/), 'a-password')
  await userEvent.click(screen.getByRole('button', { name: 'Delete my account' }))
  expect((await screen.findAllByText('The current password is wrong.')).length).toBeGreaterThan(0)
  expect(requests.find(each => each.method === 'DELETE')).toMatchObject({
    path: '/api/user/self',
    body: { current_password: 'a-password' },
  })
})
