import { refundTrade, type VendorTrade } from '../vendor-trade.ts'

export type Content = Record<string, unknown>
export type Answer = { status: number; content?: Content }

type Trades = ReadonlyMap<string, VendorTrade>

export const fail = (status: number, code: string, message: string): Answer => ({
  status,
  content: { code, message },
})

/** Numbers of refunds are unique at a merchant. https://pay.weixin.qq.com/doc/v3/merchant/4012791883 */
export const makeRefund = (trades: Trades, content: Content): Answer => {
  const { out_trade_no = '', out_refund_no = '' } = content as Record<string, string>
  const {
    refund = 0,
    total,
    currency,
  } = content.amount as { refund?: number; total?: number; currency?: string }
  const trade = trades.get(out_trade_no)
  if (!trade) return fail(404, 'RESOURCE_NOT_EXISTS', '订单不存在')
  // Without an address the end of the refund is not notified.
  const isNotified = content.notify_url === trade.notifyUrl
  const isPaid = trade.state === 'paid' && total === trade.amount && currency === 'CNY'
  const owner = ownerOf(trades, out_refund_no) ?? trade
  const isValid = isPaid && isNotified && owner === trade && refund > 0
  const outcome = isValid && refundTrade(trade, out_refund_no, refund)
  if (!outcome || outcome === 'too much')
    return fail(403, 'INVALID_REQUEST', '订单金额或退款金额与之前请求不一致')
  const status = outcome === 'new' ? 'PROCESSING' : 'SUCCESS'
  return { status: 200, content: { out_trade_no, out_refund_no, status } }
}

/** A refund that was accepted has ended by the time it is asked for. */
export const findRefund = (trades: Trades, out_refund_no: string): Answer => {
  const trade = ownerOf(trades, out_refund_no)
  if (!trade) return fail(404, 'RESOURCE_NOT_EXISTS', '退款单不存在')
  const { tradeNo: out_trade_no, amount: total, refunds } = trade
  const amount = { total, refund: refunds.get(out_refund_no) }
  return { status: 200, content: { out_trade_no, out_refund_no, status: 'SUCCESS', amount } }
}

const ownerOf = (trades: Trades, number: string) =>
  [...trades.values()].find(each => each.refunds.has(number))
