// @vitest-environment happy-dom
import type { OwnOrder } from '@hub/contract'
import { act, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it, vi } from 'vitest'
import { queryClient } from '../../../api/session.ts'
import { sessionQuery, statusQuery } from '../../../api/site.ts'
import { data, type Request, refusal, serve, show } from '../../../test/setup.tsx'
import { TopUpPage } from '../top-up.tsx'

const site = {
  ...{ PaymentUSDRate: 7.3, PaymentMinAmount: 1, RechargeDiscount: '' },
  ...{ quota_per_unit: 500_000, display_in_currency: true },
}
const session = { id: 7, username: 'ada', role: 1, quota: 0, used_quota: 0 }
const order = (trade_no: string, status: string): OwnOrder =>
  ({
    ...{ id: 1, trade_no, gateway_name: 'Cards', amount: 20, order_amount: 20 },
    ...{ order_currency: 'USD', quota: 10_000_000, status, created_at: 1_700_000_000 },
  }) as OwnOrder
const gateway = {
  ...{ uuid: 'cards', name: 'Cards', icon: '/icon.svg', fixed_fee: 0, percent_fee: 0, sort: 1 },
  currency: 'USD',
}
const known = 'st234'
const noRewards = { quota_for_inviter: 0, quota_for_invitee: 0 }

/** Opens the top-up page. The order has the state that the test gives it. */
const open = async (address: string, status: OwnOrder['status'], gateways = [gateway]) => {
  const server = { status }
  queryClient.setQueryData(statusQuery.queryKey, site as never)
  queryClient.setQueryData(sessionQuery.queryKey, session as never)
  const requests = serve(({ path, method }: Request) => {
    if (path === '/api/status') return data(site)
    if (path === '/api/user/session') return data(session)
    if (path === '/api/user/payment') return data(gateways)
    if (method === 'POST')
      return data({ trade_no: known, type: 1, data: { url: 'https://pay.example/' } })
    if (path === '/api/user/order')
      return data({ page: 1, size: 10, total_count: 1, data: [order('st567', 'pending')] })
    if (path === `/api/user/order/${known}`) return data(order(known, server.status))
    if (path.startsWith('/api/user/order/')) return refusal(404, 'resource.missing', 'Not found')
    return data({ ...{ code: 'abcd', count: 0, reward: 0, open: true }, ...noRewards })
  })
  await show(<TopUpPage />, address)
  return { requests, server }
}
const payment = async () => within(await screen.findByRole('region', { name: 'Payment' }))
const pass = (milliseconds: number) => act(() => vi.advanceTimersByTimeAsync(milliseconds))
const requestsOf = (requests: Request[], path: string) =>
  requests.filter(each => each.path === path).length

it.each([
  ['the address to which the payment page returns', `?trade_no=${known}`],
  ['the one of a vendor that adds its own number', `?trade_no=20260101&out_trade_no=${known}`],
])('%s follows the order until it is credited', async (_, search) => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  const { requests, server } = await open(`/panel/topup${search}`, 'pending')
  expect(await (await payment()).findByText(/^Waiting for the payment/)).toBeTruthy()
  server.status = 'paid'
  await pass(3000)
  expect(await (await payment()).findByText(/is being credited/)).toBeTruthy()
  const lists = requestsOf(requests, '/api/user/order')
  server.status = 'credited'
  await pass(3000)
  expect(await (await payment()).findByText('Paid: $20.00 added')).toBeTruthy()
  // The list and the balance show the credit too.
  await vi.waitFor(() => expect(requestsOf(requests, '/api/user/order')).toBeGreaterThan(lists))
  await vi.waitFor(() => expect(requestsOf(requests, '/api/user/session')).toBeGreaterThan(0))
  const questions = requestsOf(requests, `/api/user/order/${known}`)
  await pass(60_000)
  expect(requestsOf(requests, `/api/user/order/${known}`)).toBe(questions)
  vi.useRealTimers()
})

it('a late payment of a closed order is still shown', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  const { server } = await open(`/panel/topup?trade_no=${known}`, 'closed', [])
  expect(await (await payment()).findByText(/^The order is closed/)).toBeTruthy()
  server.status = 'credited'
  await pass(30_000)
  expect(await (await payment()).findByText('Paid: $20.00 added')).toBeTruthy()
  vi.useRealTimers()
})

it('an order of somebody else is refused once, and the page works', async () => {
  const { requests } = await open('/panel/topup?trade_no=st999', 'pending')
  expect(await (await payment()).findByRole('alert')).toBeTruthy()
  expect(await screen.findByRole('button', { name: 'Top up' })).toBeTruthy()
  expect(requestsOf(requests, '/api/user/order/st999')).toBe(1)
})

it('an order that was placed is shown on the page when its dialog is closed', async () => {
  await open('/panel/topup', 'pending')
  await userEvent.type(await screen.findByLabelText('Amount (USD)'), '20')
  expect(screen.queryByRole('region', { name: 'Payment' })).toBeNull()
  await userEvent.click(screen.getByRole('button', { name: 'Top up' }))
  await screen.findByRole('link', { name: 'Open the payment page' })
  // The page behind the dialog stays as it is.
  expect(screen.queryByRole('region', { name: 'Payment', hidden: true })).toBeNull()
  await userEvent.click(screen.getByRole('button', { name: 'Close' }))
  expect(await (await payment()).findByText(`Order ${known}`)).toBeTruthy()
})
