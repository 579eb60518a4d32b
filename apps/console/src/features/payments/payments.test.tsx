// @vitest-environment happy-dom
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it } from 'vitest'
import { data, type Request, serve, show } from '../../test/setup.tsx'
import { PaymentsPage } from './page.tsx'

const gateway = {
  ...{ id: 3, type: 'epay', uuid: 'a'.repeat(32), name: 'Epay', icon: 'https://x.example/i.png' },
  ...{ notify_domain: '', fixed_fee: 0.3, percent_fee: 0.05, currency: 'CNY', sort: 1 },
  config: { pay_domain: 'https://pay.example', partner_id: '1001', pay_type: 'alipay' },
  ...{ secrets_set: ['key'], vendor_setup: {}, enable: true, created_at: 1_700_000_000 },
  notify_url: 'https://hub.example/api/payment/notify/a',
}
const types = [
  {
    ...{ type: 'epay', name: 'Epay', currencies: ['CNY'], can_refund: false },
    config: {
      type: 'object',
      properties: {
        pay_domain: { type: 'string', maxLength: 300 },
        partner_id: { type: 'string', maxLength: 64 },
        key: { type: 'string', maxLength: 256, secret: true },
        pay_type: { type: 'string', enum: ['', 'alipay'], default: '' },
      },
      required: ['pay_domain', 'partner_id', 'key'],
    },
  },
]
const order = {
  ...{ id: 9, user_id: 7, username: 'ada', gateway_id: 3, gateway_name: 'Epay', gateway_icon: '' },
  ...{ trade_no: 'ep123', gateway_no: '', amount: 100, order_amount: 689.85, fee: 4.5 },
  ...{ order_currency: 'CNY', quota: 50_000_000, discount: 76.65, status: 'review' },
  ...{ refunded_amount: 0, created_at: 1_700_000_000, paid_at: 0, credited_at: 0, closed_at: 0 },
  ...{ review_reason: 'amount', debt: 0, next_query_at: 1_700_000_600, queries: 1 },
}
const event = (id: number, kind: string, outcome: string, detail = '') => ({
  ...{ id, kind, outcome, at: 1_700_000_060, source: '198.51.100.7', detail },
})
const paid = '{"event":"paid","amount":1,"currency":"CNY","gateway_no":"20261124"}'
const detail = {
  order,
  can_refund: false,
  last_notice: event(1, 'notice', 'signature'),
  last_query: null,
  events: [
    event(1, 'notice', 'signature'),
    event(2, 'notice', 'amount', paid),
    event(3, 'query', 'unpaid'),
  ],
  reversals: [],
  postings: [],
}
const page = (row: object) => ({
  ...{ data: [row], page: 1, size: 10, total_count: 1, total_exact: true },
})

const answer = ({ path, method }: Request) => {
  if (path === '/api/payment/type') return data(types)
  if (path === '/api/payment/order') return data(page(order))
  if (path.startsWith('/api/payment/order/')) return data(detail)
  return data(method === 'GET' ? page(gateway) : gateway)
}
const sent = (requests: Request[]) =>
  requests
    .filter(each => each.method !== 'GET')
    .map(({ method, path, body }) => ({ method, path, body }))

it('a gateway is changed without its secret, which the form never had', async () => {
  const requests = serve(answer)
  await show(<PaymentsPage />)
  await userEvent.click(await screen.findByRole('button', { name: 'Actions for Epay' }))
  await userEvent.click(screen.getByRole('menuitem', { name: 'Edit' }))
  const dialog = within(await screen.findByRole('dialog'))
  const partner = await dialog.findByLabelText(/Partner ID/)
  expect((dialog.getByLabelText(/^Key/) as HTMLInputElement).value).toBe('')
  expect(dialog.getByText('Set. Leave it empty to keep it.')).toBeTruthy()
  await userEvent.clear(partner)
  await userEvent.type(partner, '1002')
  await userEvent.click(dialog.getByRole('button', { name: 'Save gateway' }))
  const [update] = sent(requests)
  expect(update).toMatchObject({
    ...{ method: 'PUT', path: '/api/payment/' },
    body: { id: 3, config: { ...gateway.config, partner_id: '1002' } },
  })
  expect(update?.body).not.toHaveProperty('type')
})

it('a fee is typed in percent, sent as a part of the amount, and refused above 50 %', async () => {
  const requests = serve(answer)
  await show(<PaymentsPage />)
  await userEvent.click(await screen.findByRole('button', { name: 'Actions for Epay' }))
  await userEvent.click(screen.getByRole('menuitem', { name: 'Edit' }))
  const dialog = within(await screen.findByRole('dialog'))
  const fee = await dialog.findByLabelText(/Percent fee/)
  expect((fee as HTMLInputElement).value).toBe('5')
  expect(dialog.getByText(/5 means 5 %/)).toBeTruthy()
  const send = async (text: string) => {
    await userEvent.clear(fee)
    await userEvent.type(fee, text)
    await userEvent.click(dialog.getByRole('button', { name: 'Save gateway' }))
  }
  await send('500')
  expect(sent(requests)).toEqual([])
  await send('2.5')
  expect(sent(requests)[0]?.body).toMatchObject({ id: 3, percent_fee: 0.025 })
})

it('an administrator without the right reads gateways, and is told who may change them', async () => {
  serve(request =>
    request.path === '/api/user/session'
      ? data({ id: 5, username: 'lin', role: 10, money_rights: [] })
      : answer(request),
  )
  await show(<PaymentsPage />)
  const reason = /Only a super administrator may do this/
  const create = () => screen.getByRole('button', { name: 'Add gateway' })
  await waitFor(() => expect(create()).toHaveProperty('disabled', true))
  expect(create().getAttribute('aria-description')).toMatch(reason)
  expect(await screen.findByRole('switch')).toHaveProperty('disabled', true)
  await userEvent.click(await screen.findByRole('button', { name: 'Actions for Epay' }))
  for (const name of [/^Edit/, /^Delete/]) {
    const item = screen.getByRole('menuitem', { name })
    expect(item.getAttribute('aria-disabled')).toBe('true')
    expect(item.textContent).toMatch(reason)
  }
})

it('a gateway is shown with the names that its form has', async () => {
  serve(answer)
  await show(<PaymentsPage />)
  const row = within((await screen.findByRole('switch')).closest('tr')!)
  expect((await row.findAllByText('Epay')).length).toBe(2)
  await userEvent.click(row.getByText('CNY'))
  const drawer = within(await screen.findByRole('dialog'))
  expect(drawer.getByText('Alipay')).toBeTruthy()
})

it('a gateway is switched off in the list', async () => {
  const requests = serve(answer)
  await show(<PaymentsPage />)
  await userEvent.click(await screen.findByRole('switch', { name: 'Enable “Epay”' }))
  expect(sent(requests)).toEqual([
    { method: 'PUT', path: '/api/payment/', body: { id: 3, enable: false } },
  ])
})

it('an order says why it is in review, and is credited by hand with a reason', async () => {
  const requests = serve(answer)
  await show(<PaymentsPage />, '/?open=9#order')
  expect(await screen.findByText('The paid amount differs from the order.')).toBeTruthy()
  const texts = document.body.textContent
  for (const part of [
    'notice · refused: wrong signature',
    'notice · another amount',
    'query · not paid',
    '198.51.100.7 · CN¥0.01 · 20261124',
    'Not queried yet',
  ])
    expect(texts).toContain(part)
  await userEvent.click(screen.getByRole('button', { name: 'Ask the vendor now' }))
  await userEvent.click(screen.getByRole('button', { name: 'Credit by hand' }))
  const form = within(await screen.findByRole('dialog', { name: /Credit by hand/ }))
  await userEvent.type(await form.findByLabelText(/Reason/), 'seen in the bank account')
  await userEvent.click(form.getByRole('button', { name: 'Credit by hand' }))
  expect(sent(requests)).toEqual([
    { method: 'POST', path: '/api/payment/order/9/ask', body: {} },
    {
      ...{ method: 'POST', path: '/api/payment/order/9/credit' },
      body: { remark: 'seen in the bank account' },
    },
  ])
})

it('an order that is opened keeps the tab of orders in the address', async () => {
  serve(answer)
  await show(<PaymentsPage />, '/#order')
  const orders = screen.getByRole('tab', { name: 'Orders' })
  await userEvent.click(await screen.findByText('ada (7)'))
  expect(await screen.findByText('The paid amount differs from the order.')).toBeTruthy()
  expect(orders.getAttribute('aria-selected')).toBe('true')
})
