// @vitest-environment happy-dom
import type { Redemption } from '@hub/contract'
import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it } from 'vitest'
import { data, type Request, serve, show } from '../../test/setup.tsx'
import { RedemptionsPage } from './page.tsx'

const code = (id: number, more: Partial<Redemption> = {}): Redemption => ({
  id,
  user_id: 1,
  key: `0123-secret-code-${id}`,
  status: 1,
  name: 'summer',
  quota: 500_000,
  created_time: 1_700_000_000,
  redeemed_time: 0,
  used_user_id: 0,
  used_username: '',
  expired_time: -1,
  ...more,
})
const codes = [
  code(2, { status: 3, redeemed_time: 1_700_000_100, used_user_id: 9, used_username: 'ada' }),
  code(1),
]

const answer = ({ method }: Request) => {
  if (method === 'GET')
    return data({ data: codes, page: 1, size: 10, total_count: 2, total_exact: true })
  return data(method === 'POST' ? ['code-a', 'code-b'] : null)
}

const open = async () => {
  const requests = serve(answer)
  await show(<RedemptionsPage />)
  await screen.findByText('ada')
  return requests
}
const sent = (requests: Request[], method: string) =>
  requests.filter(each => each.method === method).map(({ path, body }) => ({ path, body }))

it('the list starts with the newest code and shortens each code', async () => {
  const requests = await open()
  expect(requests[0]?.query.get('order')).toBe('-id')
  expect(screen.getByText('0123…de-1')).toBeTruthy()
})

it('a code is switched off by its status alone', async () => {
  const requests = await open()
  await userEvent.click(screen.getByRole('switch', { name: 'Status: summer 1' }))
  expect(sent(requests, 'PUT')).toEqual([{ path: '/api/redemption/', body: { id: 1, status: 2 } }])
})

it('a redeemed code has no switch and cannot be edited, but deleted', async () => {
  const requests = await open()
  expect(screen.queryByRole('switch', { name: 'Status: summer 2' })).toBeNull()
  await userEvent.click(screen.getByRole('button', { name: 'Actions for summer 2' }))
  expect(screen.queryByRole('menuitem', { name: 'Edit' })).toBeNull()
  await userEvent.click(screen.getByRole('menuitem', { name: 'Delete' }))
  expect(await screen.findByText(/The redeemed quota/)).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: 'Delete' }))
  expect(sent(requests, 'DELETE')[0]?.path).toBe('/api/redemption/2')
})

it('new codes are shown at once, one per line', async () => {
  const requests = await open()
  await userEvent.click(screen.getByRole('button', { name: 'Create codes' }))
  const form = within(await screen.findByRole('dialog'))
  await userEvent.type(form.getByLabelText(/Name/), 'winter')
  await userEvent.clear(form.getByLabelText(/Quota/))
  await userEvent.type(form.getByLabelText(/Quota/), '2')
  await userEvent.click(form.getByRole('button', { name: 'Create codes' }))
  expect((await screen.findByLabelText('New codes')).textContent).toBe('code-a\ncode-b')
  expect(sent(requests, 'POST')).toEqual([
    {
      path: '/api/redemption/',
      body: { name: 'winter', quota: 1_000_000, count: 1, expired_time: -1 },
    },
  ])
})

it('the drawer shows the whole code', async () => {
  await open()
  await userEvent.click(screen.getByText('0123…de-1'))
  const drawer = within(await screen.findByRole('dialog', { name: 'summer' }))
  expect(drawer.getByText('0123-secret-code-1')).toBeTruthy()
  expect(drawer.getByText('Not redeemed')).toBeTruthy()
})
