import { createHash } from 'node:crypto'
import {
  cashierPage,
  errorPage,
  type FakeVendor,
  startVendorServer,
  type VendorOrder,
} from './fake-vendor.ts'

const token = 'bepusdt-token-of-the-test'
const otherKey = 'bepusdt-token-of-another'

/** Go prints floats from a million on with an exponent. */
const goText = (value: unknown): string => {
  if (typeof value !== 'number' || value < 1e6) return String(value)
  const [digits, power] = value.toExponential().split('e+')
  return `${digits}e+${power!.padStart(2, '0')}`
}

/** Sorted, without empty values, md5 of it with the token appended. https://github.com/v03413/BEpusdt app/utils/utils.go */
const signatureOf = (fields: Record<string, unknown>, secret: string): string => {
  const text = Object.keys(fields)
    .sort()
    .filter(name => name !== 'signature' && fields[name] !== '' && fields[name] !== null)
    .map(name => `${name}=${goText(fields[name])}`)
    .join('&')
  return createHash('md5').update(`${text}${secret}`).digest('hex')
}

const fail = (message: string) => ({
  body: JSON.stringify({ status_code: 400, message, data: null }),
})
const success = (data: object) => ({
  body: JSON.stringify({ status_code: 200, message: 'success', data, request_id: '' }),
})

const states = { waiting: 1, paid: 2, closed: 3 }

const statusPage = (order: VendorOrder | undefined) =>
  order
    ? {
        body: JSON.stringify({
          trade_id: order.number,
          status: states[order.state],
          return_url: '',
        }),
      }
    : fail('no such order')

/** BEpusdt: signed JSON, an unsigned status page, notices as JSON until the answer is exactly `ok`. */
export const startBepusdt = async (): Promise<FakeVendor> => {
  const orders = new Map<string, VendorOrder>()
  const byNumber = (number: unknown) => [...orders.values()].find(each => each.number === number)
  const create = (fields: Record<string, unknown>) => {
    for (const name of ['order_id', 'amount', 'notify_url', 'redirect_url'])
      if (!(name in fields)) return fail(`no ${name}`)
    const tradeNo = String(fields.order_id)
    const number = `trade-${orders.size + 1}`
    orders.set(tradeNo, {
      tradeNo,
      amount: Math.round(Number(fields.amount) * 100),
      currency: 'CNY',
      notifyUrl: String(fields.notify_url),
      number,
      state: 'waiting',
      paid: 0,
      refunded: 0,
    })
    const payment_url = `${server.origin}/pay/checkout-counter/${number}`
    return success({ trade_id: number, order_id: tradeNo, amount: fields.amount, payment_url })
  }
  const cancel = ({ trade_id }: Record<string, unknown>) => {
    const order = byNumber(trade_id)
    if (order?.state !== 'waiting') return fail('this state cannot be cancelled')
    order.state = 'closed'
    return success({ trade_id })
  }
  const vendor: FakeVendor = {
    type: 'bepusdt',
    currency: 'CNY',
    config: {},
    otherConfig: {},
    otherKey,
    orders,
    showsErrorPage: false,
    requests: () => server.requests(),
    loseAnswer: () => server.loseAnswer(),
    beforeAnswer: action => server.beforeAnswer(action),
    noticeFacts: [],
    open: async () => {},
    pay: tradeNo => {
      const order = orders.get(tradeNo)!
      return Object.assign(order, { state: 'paid', paid: order.amount })
    },
    paidNotice: (tradeNo, _at, { amount, tradeNo: other, key: secret = token } = {}) => {
      const order = orders.get(tradeNo)!
      const fields = {
        trade_id: order.number,
        order_id: other ?? tradeNo,
        amount: (amount ?? order.paid) / 100,
        actual_amount: '10.01',
        token: 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t',
        block_transaction_id: '12ef6267b42e43959795cf31808d0cc7',
        status: 2,
      }
      const body = JSON.stringify({ ...fields, signature: signatureOf(fields, secret) })
      return { method: 'POST', query: '', headers: { 'content-type': 'application/json' }, body }
    },
    isAcknowledged: (status, body) => status === 200 && body === 'ok',
    close: () => server.close(),
  }
  const server = await startVendorServer((request, body, url) => {
    if (vendor.showsErrorPage) return errorPage
    const status = /^\/pay\/check-status\/(.+)$/.exec(url.pathname)
    if (status) return statusPage(byNumber(status[1]))
    if (url.pathname.startsWith('/pay/checkout-counter/')) return cashierPage
    if (request.method !== 'POST') return { status: 404, body: '' }
    const fields = JSON.parse(body) as Record<string, unknown>
    if (fields.signature !== signatureOf(fields, token))
      return { status: 400, body: '{"error":"sign"}' }
    return url.pathname.endsWith('/create-transaction') ? create(fields) : cancel(fields)
  })
  vendor.config = { pay_domain: server.origin, key: token, trade_type: 'usdt.trc20' }
  vendor.otherConfig = { ...vendor.config, key: otherKey }
  return vendor
}
