import { generateKeyPairSync, type KeyObject, sign, verify } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import {
  cashierPage,
  decimal,
  errorPage,
  type SentNotice,
  startVendorServer,
  type VendorAnswer,
} from '../fake-vendor.ts'
import { makeTrade, refundTrade, type VendorMode, type VendorTrade } from '../vendor-trade.ts'

type Fields = Record<string, string>
type Content = Record<string, string>

const pairOf = () => generateKeyPairSync('rsa', { modulusLength: 2048 })

/** Alipay signs and verifies the sorted, raw pairs. https://opendocs.alipay.com/common/02kf5q */
const signedText = (fields: Fields, without: string[]) =>
  Object.keys(fields)
    .filter(name => fields[name] !== '' && !without.includes(name))
    .sort()
    .map(name => `${name}=${fields[name]}`)
    .join('&')

const base64Signature = (text: string, key: KeyObject) =>
  sign('sha256', Buffer.from(text), key).toString('base64')

const success = { code: '10000', msg: 'Success' }
const declined = (code: string, text: string) => ({
  code: '40004',
  msg: 'Business Failed',
  sub_code: code,
  sub_msg: text,
})
const unknownTrade = declined('ACQ.TRADE_NOT_EXIST', '交易不存在')
const wrongStatus = declined('ACQ.TRADE_STATUS_ERROR', '交易状态不合法')

/** Alipay's gateway and its books. It verifies as Alipay does, and signs answers over their exact bytes. */
export class FakeAlipay {
  readonly appId = '2021000000000001'
  readonly sellerId = '2088000000000001'
  readonly trades = new Map<string, VendorTrade>()
  /** Methods that were called, with the trade number. */
  readonly calls: string[] = []
  mode: VendorMode = 'documented'
  url = ''
  private readonly own = pairOf()
  private readonly app = pairOf()
  private readonly other = pairOf()
  requests = () => 0
  loseAnswer = () => {}
  beforeAnswer: (action: () => Promise<void>) => void = () => {}
  close = async () => {}

  static async start(): Promise<FakeAlipay> {
    const fake = new FakeAlipay()
    const server = await startVendorServer((...request) => fake.handle(...request))
    return Object.assign(fake, { ...server, url: server.origin })
  }

  /** The configuration that a merchant enters. */
  config(payType: 'facepay' | 'pagepay' | 'wappay' = 'facepay'): Record<string, string> {
    return {
      app_id: this.appId,
      private_key: String(this.app.privateKey.export({ type: 'pkcs8', format: 'pem' })),
      public_key: String(this.own.publicKey.export({ type: 'spki', format: 'pem' })),
      pay_type: payType,
      seller_id: this.sellerId,
      gateway_url: `${this.url}/gateway.do`,
    }
  }

  /** The configuration of another app, whose notices the other key signs. */
  otherConfig(): Record<string, string> {
    const public_key = String(this.other.publicKey.export({ type: 'spki', format: 'pem' }))
    return { ...this.config(), app_id: '2021000000000002', seller_id: '', public_key }
  }

  /** The payer pays. A payment that is on its way when the order is closed arrives all the same. */
  pay(tradeNo: string): VendorTrade {
    const trade = this.trades.get(tradeNo)
    if (!trade || trade.paid > 0) throw new Error(`${tradeNo} cannot be paid`)
    return Object.assign(trade, { state: 'paid', paid: trade.amount })
  }

  /** The form that Alipay posts, with fields changed before it is signed. */
  notice(tradeNo: string, changes: Fields = {}, signer: 'alipay' | 'other' = 'alipay'): SentNotice {
    const trade = this.trades.get(tradeNo)!
    const { refunded } = trade
    const isClosed =
      trade.state === 'closed' || (trade.state === 'paid' && refunded === trade.amount)
    const fields: Fields = {
      notify_time: '2026-11-24 10:00:01',
      notify_type: 'trade_status_sync',
      notify_id: `2026112400222${trade.number.slice(-6)}`,
      charset: 'utf-8',
      version: '1.0',
      app_id: this.appId,
      auth_app_id: this.appId,
      trade_no: trade.number,
      out_trade_no: tradeNo,
      out_biz_no: '',
      seller_id: this.sellerId,
      buyer_logon_id: '159****5620',
      trade_status: isClosed
        ? 'TRADE_CLOSED'
        : trade.state === 'paid'
          ? 'TRADE_SUCCESS'
          : 'WAIT_BUYER_PAY',
      total_amount: decimal(trade.amount),
      receipt_amount: decimal(trade.amount),
      subject: '100% 充值 a+b',
      fund_bill_list: '[{"amount":"1.00","fundChannel":"ALIPAYACCOUNT"}]',
      ...(refunded > 0 && { refund_fee: decimal(refunded), gmt_refund: '2026-11-24 10:00:00.123' }),
      ...changes,
    }
    const key = signer === 'alipay' ? this.own.privateKey : this.other.privateKey
    const signed = {
      ...fields,
      sign_type: 'RSA2',
      sign: base64Signature(signedText(fields, []), key),
    }
    return {
      method: 'POST',
      query: '',
      headers: { 'content-type': 'application/x-www-form-urlencoded; charset=UTF-8' },
      body: new URLSearchParams(signed).toString(),
    }
  }

  private handle(request: IncomingMessage, body: string, url: URL): VendorAnswer {
    const fields = Object.fromEntries([...url.searchParams, ...new URLSearchParams(body)])
    const method = fields.method ?? ''
    const content = JSON.parse(fields.biz_content ?? '{}') as Content
    this.calls.push(`${method} ${content.out_trade_no}`)
    if (this.mode === 'error page') return errorPage
    const invalid = this.requestError(fields)
    if (invalid) {
      // Alipay has no key to sign with for a caller that it does not know.
      const error_response = { code: '40002', msg: 'Invalid Arguments', ...invalid }
      return { body: JSON.stringify({ error_response }) }
    }
    if (request.method === 'GET') return this.openPage(method, content, fields)
    return this.signed(method, this.answer(method, content, fields))
  }

  private requestError(fields: Fields): { sub_code: string; sub_msg: string } | undefined {
    const { app_id, sign: signature = '', sign_type, charset, version, timestamp = '' } = fields
    if (app_id !== this.appId) return { sub_code: 'isv.invalid-app-id', sub_msg: '无效的AppID参数' }
    const isComplete =
      sign_type === 'RSA2' &&
      charset === 'utf-8' &&
      version === '1.0' &&
      /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(timestamp)
    if (!isComplete) return { sub_code: 'isv.missing-parameter', sub_msg: '缺少参数' }
    const text = Buffer.from(signedText(fields, ['sign']))
    if (verify('sha256', text, this.app.publicKey, Buffer.from(signature, 'base64')))
      return undefined
    return { sub_code: 'isv.invalid-signature', sub_msg: '验签出错' }
  }

  private signed(method: string, answer: Record<string, string>): VendorAnswer {
    // As Alipay does: the signature covers the bytes, with slashes escaped.
    const text = JSON.stringify(answer).replaceAll('/', '\\/')
    const key = this.mode === 'other key' ? this.other.privateKey : this.own.privateKey
    const signature = this.mode === 'unsigned' ? '' : `,"sign":"${base64Signature(text, key)}"`
    return {
      headers: { 'content-type': 'text/html;charset=utf-8' },
      body: `{"${method.replaceAll('.', '_')}_response":${text}${signature}}`,
    }
  }

  private answer(method: string, content: Content, fields: Fields): Record<string, string> {
    if (this.mode === 'overloaded')
      return {
        code: '20000',
        msg: 'Service Currently Unavailable',
        sub_code: 'aop.unknow-error',
        sub_msg: '系统繁忙',
      }
    const trade = this.trades.get(content.out_trade_no ?? '')
    if (method === 'alipay.trade.precreate') return this.precreate(content, fields)
    if (!trade) return unknownTrade
    const base = { ...success, out_trade_no: trade.tradeNo, trade_no: trade.number }
    switch (method) {
      case 'alipay.trade.query':
        return { ...base, ...this.stateOf(trade) }
      case 'alipay.trade.close':
        if (trade.state !== 'waiting') return wrongStatus
        trade.state = 'closed'
        return base
      case 'alipay.trade.refund':
        return this.refund(trade, content, base)
      case 'alipay.trade.fastpay.refund.query': {
        const isKnown = trade.refunds.has(content.out_request_no ?? '')
        return { ...base, ...(isKnown && { refund_status: 'REFUND_SUCCESS' }) }
      }
      default:
        return { code: '40001', msg: 'Missing Method', sub_code: 'isv.missing-method', sub_msg: '' }
    }
  }

  private stateOf(trade: VendorTrade): Record<string, string> {
    const isRefunded = trade.state === 'paid' && trade.refunded === trade.amount
    const status = { waiting: 'WAIT_BUYER_PAY', paid: 'TRADE_SUCCESS', closed: 'TRADE_CLOSED' }[
      trade.state
    ]
    return {
      trade_status: isRefunded ? 'TRADE_CLOSED' : status,
      total_amount: decimal(trade.amount),
      ...(trade.state === 'paid' && { send_pay_date: '2026-11-24 10:00:00' }),
    }
  }

  private precreate(content: Content, fields: Fields): Record<string, string> {
    const error = this.open(content, fields)
    if (error) return error
    const { out_trade_no = '' } = content
    return { ...success, out_trade_no, qr_code: `https://qr.alipay.com/bax${out_trade_no}` }
  }

  private openPage(method: string, content: Content, fields: Fields): VendorAnswer {
    const code = {
      'alipay.trade.page.pay': 'FAST_INSTANT_TRADE_PAY',
      'alipay.trade.wap.pay': 'QUICK_WAP_WAY',
    }[method]
    const error =
      code && content.product_code === code
        ? this.open(content, fields)?.sub_code
        : 'isv.invalid-product'
    return error ? { body: error } : cashierPage
  }

  /** The error, if the trade cannot be made. The same trade may be made again with the same amount. */
  private open(content: Content, fields: Fields): Record<string, string> | undefined {
    const { out_trade_no = '', total_amount = '', subject = '', time_expire = '' } = content
    const isValid =
      /^\w{1,64}$/.test(out_trade_no) &&
      /^\d{1,9}\.\d\d$/.test(total_amount) &&
      Number(total_amount) >= 0.01 &&
      subject !== '' &&
      !/[/=&]/.test(subject) &&
      /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(time_expire)
    if (!isValid) return declined('ACQ.INVALID_PARAMETER', '参数无效')
    const amount = Math.round(Number(total_amount) * 100)
    const known = this.trades.get(out_trade_no)
    if (known && known.amount !== amount)
      return declined('ACQ.CONTEXT_INCONSISTENT', '交易信息被篡改')
    const number = `2026112422001${String(this.trades.size).padStart(15, '0')}`
    const notifyUrl = fields.notify_url ?? ''
    if (!known) this.trades.set(out_trade_no, makeTrade(out_trade_no, amount, number, notifyUrl))
    return undefined
  }

  private refund(
    trade: VendorTrade,
    content: Content,
    base: Record<string, string>,
  ): Record<string, string> {
    const { out_request_no = '', refund_amount = '' } = content
    if (trade.state !== 'paid') return wrongStatus
    const outcome = refundTrade(trade, out_request_no, Math.round(Number(refund_amount) * 100))
    if (outcome === 'too much') return declined('ACQ.REFUND_AMT_NOT_EQUAL_TOTAL', '退款金额超限')
    const fund_change = outcome === 'new' ? 'Y' : 'N'
    return { ...base, fund_change, refund_fee: decimal(trade.refunded) }
  }
}
