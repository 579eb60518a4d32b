import { decimal, type FakeVendor } from '../fake-vendor.ts'
import { refundTrade } from '../vendor-trade.ts'
import { FakeAlipay } from './alipay.ts'

const otherKey = 'other'

/** Alipay with its QR codes or its payment pages. */
export const startAlipay = async (payType: 'facepay' | 'pagepay'): Promise<FakeVendor> => {
  const fake = await FakeAlipay.start()
  return {
    type: 'alipay',
    currency: 'CNY',
    config: fake.config(payType),
    otherConfig: fake.otherConfig(),
    otherKey,
    orders: fake.trades,
    get showsErrorPage() {
      return fake.mode === 'error page'
    },
    set showsErrorPage(shows) {
      fake.mode = shows ? 'error page' : 'documented'
    },
    requests: () => fake.requests(),
    loseAnswer: () => fake.loseAnswer(),
    beforeAnswer: action => fake.beforeAnswer(action),
    noticeFacts: ['merchant', 'app'],
    // A QR code has been made with the order; a page opens the trade.
    open: async ({ type, data }) => {
      if (type === 1) await (await fetch(data.url)).text()
    },
    pay: tradeNo => fake.pay(tradeNo),
    paidNotice: (tradeNo, _at, { amount, merchant, app, tradeNo: other, key } = {}) =>
      fake.notice(
        tradeNo,
        {
          ...(amount !== undefined && { total_amount: decimal(amount) }),
          ...(merchant && { seller_id: merchant }),
          ...(app && { app_id: app }),
          ...(other && { out_trade_no: other }),
        },
        key === otherKey ? 'other' : 'alipay',
      ),
    refundNotice: (tradeNo, amount) => {
      const trade = fake.trades.get(tradeNo)!
      const number = `console-${trade.refunds.size + 1}`
      refundTrade(trade, number, amount)
      return fake.notice(tradeNo, { out_biz_no: number })
    },
    ownRefundNotice: (tradeNo, number, _at, { amount, key } = {}) =>
      fake.notice(
        tradeNo,
        { out_biz_no: number, ...(amount !== undefined && { refund_fee: decimal(amount) }) },
        key === otherKey ? 'other' : 'alipay',
      ),
    isAcknowledged: (status, body) => status === 200 && body === 'success',
    close: () => fake.close(),
  }
}
