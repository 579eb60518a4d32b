import type { VendorOrder } from './fake-vendor.ts'

/** An order in the books of a vendor that numbers its refunds by the merchant's numbers. */
export type VendorTrade = VendorOrder & { refunds: Map<string, number> }

/** How the vendor answers calls: as documented, or as it does when something is wrong. */
export type VendorMode = 'documented' | 'other key' | 'unsigned' | 'overloaded' | 'error page'

export const makeTrade = (
  tradeNo: string,
  amount: number,
  number: string,
  notifyUrl: string,
): VendorTrade => ({
  tradeNo,
  amount,
  currency: 'CNY',
  notifyUrl,
  number,
  state: 'waiting',
  paid: 0,
  refunded: 0,
  refunds: new Map(),
})

/** One number refunds once, and all refunds together at most the payment. */
export const refundTrade = (
  trade: VendorTrade,
  number: string,
  amount: number,
): 'new' | 'repeated' | 'too much' => {
  if (trade.refunds.has(number)) return 'repeated'
  if (trade.refunded + amount > trade.paid) return 'too much'
  trade.refunds.set(number, amount)
  trade.refunded += amount
  return 'new'
}
