import type { FakeVendor } from '../fake-vendor.ts'
import { refundTrade } from '../vendor-trade.ts'
import { FakeWxpay } from './wxpay.ts'

const otherKey = 'other'

/** WeChat Pay, which signs with a platform certificate or with its public key. */
export const startWxpay = async (keyMode: 'certificate' | 'public key'): Promise<FakeVendor> => {
  const fake = await FakeWxpay.start()
  if (keyMode === 'public key') fake.signer = fake.publicKeyId
  return {
    type: 'wxpay',
    currency: 'CNY',
    config: fake.config(keyMode),
    otherConfig: fake.otherConfig(),
    otherKey,
    orders: fake.trades,
    sealsNotices: true,
    get showsErrorPage() {
      return fake.mode === 'error page'
    },
    set showsErrorPage(shows) {
      fake.mode = shows ? 'error page' : 'documented'
    },
    requests: () => fake.requests(),
    loseAnswer: () => fake.loseAnswer(),
    beforeAnswer: action => fake.beforeAnswer(action),
    noticeFacts: ['merchant', 'app', 'currency'],
    // https://pay.weixin.qq.com/doc/v3/merchant/4013053249
    noticeAgeMaxSeconds: 300,
    // The QR code has been made with the order.
    open: async () => {},
    pay: tradeNo => fake.pay(tradeNo),
    paidNotice: (
      tradeNo,
      now,
      { amount, currency = 'CNY', merchant, key, at = now, ...rest } = {},
    ) => {
      const total = amount ?? fake.trades.get(tradeNo)!.amount
      const changes = {
        amount: { total, currency },
        ...(merchant && { mchid: merchant }),
        ...(rest.app && { appid: rest.app }),
        ...(rest.tradeNo && { out_trade_no: rest.tradeNo }),
      }
      const isOther = key === otherKey
      return fake.notice(tradeNo, changes, {
        at,
        ...(isOther && { signer: 'other', serial: fake.otherKeyId, apiKey: fake.otherApiKey }),
      })
    },
    refundNotice: (tradeNo, amount, at) => {
      const trade = fake.trades.get(tradeNo)!
      const number = `console-${trade.refunds.size + 1}`
      refundTrade(trade, number, amount)
      return fake.refundNotice(tradeNo, number, {}, { at })
    },
    ownRefundNotice: (tradeNo, number, at, { amount, key } = {}) =>
      fake.refundNotice(
        tradeNo,
        number,
        { ...(amount !== undefined && { amount: { total: amount, refund: amount } }) },
        { at, ...(key === otherKey && { signer: 'other', serial: fake.otherKeyId }) },
      ),
    isAcknowledged: status => status === 200 || status === 204,
    close: () => fake.close(),
  }
}
