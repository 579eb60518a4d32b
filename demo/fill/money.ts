import { priceTopUp } from '@hub/contract'
import { applyEvent } from '../../apps/server/src/billing/orders/apply-event.ts'
import * as orders from '../../apps/server/src/db/queries/orders.ts'
import type { Account } from './accounts.ts'
import type { FillHub } from './hub.ts'

const pointsPerDollar = 500_000
const expirySeconds = 7_200
const discounts = { 50: 0.95, 100: 0.9 }
const exchangeRate = 7.3

export type Gateways = { card: number; wallet: number }

export const addGateways = async ({ api }: FillHub, vendorUrl: string): Promise<Gateways> => {
  const icon = `${vendorUrl}/files/pay.png`
  const epay = { pay_domain: vendorUrl, partner_id: '1001', key: 'not-a-secret' }
  const add = (name: string, payType: string, fee: number) =>
    api<{ id: number }>('POST', '/api/payment/', {
      ...{ type: 'epay', name, icon, currency: 'CNY', percent_fee: fee },
      config: { ...epay, pay_type: payType },
    })
  return {
    wallet: (await add('Alipay', 'alipay', 0)).id,
    card: (await add('WeChat Pay', 'wxpay', 0.01)).id,
  }
}

/** How an order goes on after it was placed. */
type Course = 'paid' | 'abandoned' | 'waiting' | 'refunded'

let placed = 0
const alphabet = 'abcdefghijklmnopqrstuvwxyz234567'
const tradeNo = (): string => {
  placed += 1
  return `epay${Array.from({ length: 22 }, (_, n) => alphabet[(placed * 7_919 * (n + 3)) % 32]).join('')}${placed}`
}

/** Places an order at the time of the hub, and lets the vendor report about it. */
export const order = async (
  { app, setNow, now }: FillHub,
  gatewayId: number,
  account: Account,
  dollars: number,
  course: Course = 'paid',
): Promise<void> => {
  const at = now()
  const terms = { discounts, exchangeRate, currency: 'CNY' as const, fixedFee: 0, percentFee: 0 }
  const price = priceTopUp(dollars, terms)
  const full = priceTopUp(dollars, { ...terms, discounts: {} })
  const trade_no = tradeNo()
  await orders.insert(app.db, {
    ...{ user_id: account.id, gateway_id: gatewayId, trade_no, gateway_no: '', reference: '' },
    ...{ amount: dollars, pay_amount: price.charge, currency: price.currency },
    ...{ points: dollars * pointsPerDollar, fee: price.feeCents },
    discount: full.charge - price.charge,
    ...{ discount_factor: String(price.discount), exchange_rate: String(price.exchangeRate) },
    ...{ status: 'pending', review_reason: '', refunded_total: 0, taken_back: 0, take_backs: 0 },
    ...{ source_ip: account.ip, created_at: at, expires_at: at + expirySeconds },
    ...{ paid_at: null, credited_at: null, closed_at: null },
    // Nobody asks the vendor of the demo about it.
    ...{ next_query_at: null, queries: 0 },
  })
  const notice = { kind: 'notice', source: '203.0.113.9' } as const
  const event = { tradeNo: trade_no, gatewayNo: `2026${trade_no.slice(4, 20)}` }
  if (course === 'waiting') return
  if (course === 'abandoned') {
    setNow(at + expirySeconds)
    await applyEvent(app, gatewayId, { ...event, kind: 'closed' }, notice)
    return
  }
  setNow(at + 40)
  await applyEvent(app, gatewayId, { ...event, kind: 'paid', amount: price.charge }, notice)
  account.balance += dollars * pointsPerDollar
  if (course !== 'refunded') return
  setNow(at + 6 * 3_600)
  const refund = { id: `${trade_no}r1`, amount: price.charge, state: 'done' } as const
  await applyEvent(app, gatewayId, { ...event, kind: 'refunded', ...refund }, notice)
  account.balance -= dollars * pointsPerDollar
}

const codes = [
  { name: 'Spring workshop', quota: 1_000_000, count: 12, redeemedBy: 7 },
  { name: 'Partner welcome', quota: 2_500_000, count: 8, redeemedBy: 5 },
  { name: 'Support goodwill', quota: 500_000, count: 6, redeemedBy: 2 },
]

export type Code = { key: string; quota: number }

/** Makes codes, and returns those that people are going to redeem. */
export const addCodes = async ({ api }: FillHub): Promise<Code[]> => {
  const given: Code[] = []
  for (const { redeemedBy, ...batch } of codes) {
    const made = await api<string[]>('POST', '/api/redemption/', batch)
    given.push(...made.slice(0, redeemedBy).map(key => ({ key, quota: batch.quota })))
  }
  return given
}

export const redeem = async (hub: FillHub, account: Account, code: Code): Promise<void> => {
  const cookie = await hub.signIn(account.username, account.password, account.ip)
  await hub.apiAs(cookie, 'POST', '/api/user/topup', { key: code.key })
  account.balance += code.quota
}
