// @vitest-environment happy-dom
import type { OwnOrder } from '@hub/contract'
import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it } from 'vitest'
import { queryClient } from '../../../api/session.ts'
import { sessionQuery, statusQuery } from '../../../api/site.ts'
import { data, type Request, refusal, serve, show } from '../../../test/setup.tsx'
import { discountsOf, presetsOf } from './amounts.ts'
import { OnlineTopUp } from './online.tsx'

const gateway = (name: string, more: object) => ({
  ...{ uuid: name.toLowerCase(), name, icon: '/icon.svg', fixed_fee: 0, percent_fee: 0, sort: 1 },
  currency: 'USD',
  ...more,
})
const gateways = [
  gateway('Cards', { fixed_fee: 0.3 }),
  gateway('WeChat', { currency: 'CNY', percent_fee: 0.05 }),
]

const order = (status: string): OwnOrder =>
  ({
    ...{ id: 1, trade_no: 'wx123', amount: 100, order_amount: 689.85, order_currency: 'CNY' },
    ...{ quota: 50_000_000, status },
  }) as OwnOrder
const site = {
  ...{ PaymentUSDRate: 7.3, PaymentMinAmount: 5, RechargeDiscount: '{"100": 0.9, "20": 1}' },
  ...{ quota_per_unit: 500_000, display_in_currency: true },
}

const open = async (placed: object, statuses: string[] = ['pending']) => {
  queryClient.setQueryData(statusQuery.queryKey, site as never)
  queryClient.setQueryData(sessionQuery.queryKey, { id: 7, username: 'ada', role: 1 } as never)
  const requests = serve(({ path, method }: Request) => {
    if (path === '/api/status') return data(site)
    if (path === '/api/user/session') return data({ id: 7, username: 'ada', role: 1 })
    if (method === 'POST')
      return 'status' in placed ? refusal(502, 'payment.refused') : data(placed)
    return data(order(statuses.length > 1 ? statuses.shift()! : statuses[0]!))
  })
  await show(<OnlineTopUp gateways={gateways} onPlaced={() => {}} onClosed={() => {}} />)
  return requests
}
const amount = () => screen.getByLabelText('Amount (USD)')
const pay = () => userEvent.click(screen.getByRole('button', { name: 'Top up' }))
const qr = { trade_no: 'wx123', type: 2, data: { url: 'weixin://wxpay/bizpayurl?pr=1' } }

it('the price has discount, fee, rate and the sum that the formula gives', async () => {
  await open(qr)
  await userEvent.click(screen.getByRole('radio', { name: 'WeChat' }))
  await userEvent.click(screen.getByRole('button', { name: /^\$100/ }))
  const text = document.querySelector('dl')?.textContent
  for (const part of ['$100.00', '$90.00', 'Fee (5%)', '$4.50', '7.3', 'CN¥689.85'])
    expect(text).toContain(part)
})

it('an amount that cannot be bought is refused with the reason, and no order is made', async () => {
  const requests = await open(qr)
  const texts: [string, string][] = [
    ['', 'The amount must be a positive whole number'],
    ['7.5', 'The amount must be a positive whole number'],
    ['4', 'The amount must be at least $5'],
    ['1000001', 'The amount must be at most $1,000,000'],
  ]
  for (const [typed, text] of texts) {
    await userEvent.clear(amount())
    if (typed) await userEvent.type(amount(), typed)
    await pay()
    expect((await screen.findByRole('alert')).textContent).toBe(text)
  }
  expect(requests.filter(each => each.method === 'POST')).toEqual([])
})

it('a QR code is shown and the order is followed until it is credited', async () => {
  const requests = await open(qr, ['pending', 'credited'])
  await userEvent.click(screen.getByRole('radio', { name: 'WeChat' }))
  await userEvent.type(amount(), '100')
  await pay()
  const dialog = await screen.findByRole('dialog')
  expect(await within(dialog).findByTitle('QR code of the payment')).toBeTruthy()
  expect(await within(dialog).findByText('Paid: $100.00 added')).toBeTruthy()
  expect(within(dialog).queryByTitle('QR code of the payment')).toBeNull()
  expect(requests.filter(each => each.method === 'POST').map(each => each.body)).toEqual([
    { uuid: 'wechat', amount: 100 },
  ])
  expect(requests.some(each => each.path === '/api/user/order/wx123')).toBe(true)
})

it('the payment page opens in a new tab, with the fields of the vendor in its address', async () => {
  const params = { pid: '1', sign: 'abc' }
  await open({
    trade_no: 'ep1',
    type: 1,
    data: { url: 'https://pay.example/submit.php', method: 'POST', params },
  })
  await userEvent.type(amount(), '5')
  await pay()
  const link = await screen.findByRole<HTMLAnchorElement>('link', { name: 'Open the payment page' })
  expect([link.href, link.target]).toEqual([
    'https://pay.example/submit.php?pid=1&sign=abc',
    '_blank',
  ])
})

it('an address that is no web address is not opened', async () => {
  await open({ trade_no: 'ep1', type: 1, data: { url: 'javascript:alert(1)' } })
  await userEvent.type(amount(), '5')
  await pay()
  expect(await screen.findByText(/address of the payment page is not safe/)).toBeTruthy()
  expect(screen.queryByText('Open the payment page')).toBeNull()
})

it('a refusal of the vendor is shown in the dialog', async () => {
  await open({ status: 'refused' })
  await userEvent.type(amount(), '5')
  await pay()
  expect((await screen.findByRole('dialog')).textContent).toContain('payment vendor')
})

it('broken discounts of a site are read as none', () => {
  expect([discountsOf('{'), discountsOf('null'), discountsOf('')]).toEqual([{}, {}, {}])
  expect(presetsOf('{"100": 0.9, "20": 1}').map(each => each.amount)).toEqual([20, 100])
})
