import type { PayGateway, Status } from '@hub/contract'
import { priceTopUp, type TopUpPrice } from '@hub/contract/top-up-price'

type Terms = Pick<Status, 'PaymentUSDRate' | 'RechargeDiscount'>

/** Factors by amount; none if the site sent a text that is no JSON object. */
export const discountsOf = (text: string): Record<string, number> => {
  try {
    const read: unknown = JSON.parse(text || '{}')
    return typeof read === 'object' && read !== null ? (read as Record<string, number>) : {}
  } catch {
    return {}
  }
}

/** The amounts with a factor, ascending. */
export const presetsOf = (text: string): { amount: number; factor: number }[] =>
  Object.entries(discountsOf(text))
    .map(([amount, factor]) => ({ amount: Number(amount), factor }))
    .toSorted((one, other) => one.amount - other.amount)

/** The price that the server will charge for an order with these terms. */
export const priceOf = (amount: number, gateway: PayGateway, site: Terms): TopUpPrice =>
  priceTopUp(amount, {
    discounts: discountsOf(site.RechargeDiscount),
    exchangeRate: site.PaymentUSDRate,
    currency: gateway.currency,
    fixedFee: gateway.fixed_fee,
    percentFee: gateway.percent_fee,
  })

/** Payment pages are opened only at web addresses. */
export const isWebAddress = (address: string): boolean => /^https?:\/\//i.test(address)
