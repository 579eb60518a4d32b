import { createHash } from 'node:crypto'
import {
  cashierPage,
  decimal,
  errorPage,
  type FakeVendor,
  startVendorServer,
  type VendorOrder,
} from './fake-vendor.ts'

const pid = '1001'
const key = 'epay-merchant-key-of-the-test'
const otherKey = 'epay-key-of-another-merchant'

/** ksort, `k=v` joined by `&`, without empty values, `sign` and `sign_type`, md5 of it with the key appended. */
const signatureOf = (fields: Record<string, string>, secret: string): string => {
  const text = Object.entries(fields)
    .filter(([name, value]) => value !== '' && name !== 'sign' && name !== 'sign_type')
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `${name}=${value}`)
    .join('&')
  return createHash('md5').update(`${text}${secret}`).digest('hex')
}

const submit = (orders: Map<string, VendorOrder>, fields: Record<string, string>) => {
  if (fields.pid !== pid || fields.sign !== signatureOf(fields, key)) return { body: 'sign error' }
  const tradeNo = fields.out_trade_no ?? ''
  orders.set(tradeNo, {
    tradeNo,
    amount: Math.round(Number(fields.money) * 100),
    currency: 'CNY',
    notifyUrl: fields.notify_url ?? '',
    number: `E${orders.size + 1}`,
    state: 'waiting',
    paid: 0,
    refunded: 0,
  })
  return cashierPage
}

const query = (orders: Map<string, VendorOrder>, url: URL) => {
  const { act, pid: asker, key: secret, out_trade_no = '' } = Object.fromEntries(url.searchParams)
  const order = orders.get(out_trade_no)
  if (act !== 'order' || asker !== pid || secret !== key || !order)
    return { body: JSON.stringify({ code: -1, msg: 'no such order' }) }
  const status = order.paid > 0 ? 1 : 0
  const { number: trade_no, paid, amount } = order
  const money = decimal(paid || amount)
  return {
    body: JSON.stringify({ code: 1, msg: 'ok', trade_no, out_trade_no, pid, money, status }),
  }
}

/** An Epay panel: a form at /submit.php, queries at /api.php, notices by GET until the answer is exactly `success`. */
export const startEpay = async (by: 'GET' | 'POST' = 'GET'): Promise<FakeVendor> => {
  const orders = new Map<string, VendorOrder>()
  const vendor: FakeVendor = {
    type: 'epay',
    currency: 'CNY',
    config: {},
    otherConfig: {},
    otherKey,
    orders,
    showsErrorPage: false,
    requests: () => server.requests(),
    loseAnswer: () => server.loseAnswer(),
    beforeAnswer: action => server.beforeAnswer(action),
    noticeFacts: ['merchant'],
    open: async ({ data }) => {
      const body = new URLSearchParams(data.params)
      await (await fetch(data.url, { method: 'POST', body })).text()
    },
    pay: tradeNo => {
      const order = orders.get(tradeNo)!
      return Object.assign(order, { state: 'paid', paid: order.amount })
    },
    paidNotice: (tradeNo, _at, { amount, merchant, tradeNo: other, key: secret = key } = {}) => {
      const order = orders.get(tradeNo)!
      const fields = {
        pid: merchant ?? pid,
        trade_no: order.number,
        out_trade_no: other ?? tradeNo,
        type: 'alipay',
        name: 'One Hub 充值 100%',
        money: decimal(amount ?? order.paid),
        trade_status: 'TRADE_SUCCESS',
        param: '',
      }
      const text = String(
        new URLSearchParams({ ...fields, sign: signatureOf(fields, secret), sign_type: 'MD5' }),
      )
      const headers = { 'content-type': 'application/x-www-form-urlencoded' }
      return by === 'GET'
        ? { method: 'GET', query: text, headers: {}, body: '' }
        : { method: 'POST', query: '', headers, body: text }
    },
    isAcknowledged: (status, body) => status === 200 && body === 'success',
    close: () => server.close(),
  }
  const server = await startVendorServer((_request, body, url) => {
    if (vendor.showsErrorPage) return errorPage
    // Panels read the form from the address if it is there.
    const form = url.searchParams.has('pid') ? url.searchParams : new URLSearchParams(body)
    if (url.pathname === '/submit.php') return submit(orders, Object.fromEntries(form))
    return url.pathname === '/api.php' ? query(orders, url) : { status: 404, body: '' }
  })
  vendor.config = { pay_domain: server.origin, partner_id: pid, key, pay_type: 'alipay' }
  vendor.otherConfig = {
    pay_domain: server.origin,
    partner_id: '2002',
    key: otherKey,
    pay_type: '',
  }
  return vendor
}
