import { randomBytes, sign, verify } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { errorPage, type SentNotice, startVendorServer, type VendorAnswer } from '../fake-vendor.ts'
import { makeTrade, type VendorMode, type VendorTrade } from '../vendor-trade.ts'
import { makeCertificate } from './certificate.ts'
import { type Answer, type Content, fail, findRefund, makeRefund } from './refunds.ts'
import { lines, pairOf, seal } from './seal.ts'

type SealOptions = {
  signer?: 'wxpay' | 'other'
  /** The number of the key that the notice names. */
  serial?: string
  /** Another one for a forger who does not know ours. */
  apiKey?: string
  /** Seconds since 1970. */
  at?: number
}
const json = { 'content-type': 'application/json' }

/** WeChat Pay's API v3 and its books. It verifies requests, signs answers and seals notices as the vendor does. */
export class FakeWxpay {
  readonly appId = 'wx0123456789abcdef'
  readonly merchantId = '1900000001'
  readonly merchantSerial = '5F1C72E2A8931B72A2E13AF8DEE92471EB397115'
  readonly apiKey = 'a7cde1ZJB1kG2e7VfTs3jQzaWizur8Gb'
  readonly publicKeyId = 'PUB_KEY_ID_0119000000012026112400389200000001'
  readonly otherApiKey = 'z9cde1ZJB1kG2e7VfTs3jQzaWizur8Gb'
  readonly otherKeyId = 'PUB_KEY_ID_0119000000022026112400389200000002'
  readonly trades = new Map<string, VendorTrade>()
  /** Requests, as method and path. */
  readonly calls: string[] = []
  mode: VendorMode = 'documented'
  /** The key that signs: a platform certificate by its number, or the public key. */
  signer = '440024045C4A427599D09BB4E3DE0279F2E813FD'
  /** Seconds since 1970. Without a clock the vendor takes the time of the latest request. */
  clock: (() => number) | undefined
  url = ''
  private requestTime = 0
  private readonly merchant = pairOf()
  private readonly other = pairOf()
  private readonly keys = new Map<string, ReturnType<typeof pairOf>>([
    [this.signer, pairOf()],
    [this.publicKeyId, pairOf()],
  ])
  private readonly expiry = new Map<string, number>()
  requests = () => 0
  loseAnswer = () => {}
  beforeAnswer: (action: () => Promise<void>) => void = () => {}
  close = async () => {}

  static async start(clock?: () => number): Promise<FakeWxpay> {
    const fake = new FakeWxpay()
    fake.clock = clock
    const server = await startVendorServer((request, body) => fake.handle(request, body))
    return Object.assign(fake, { ...server, url: server.origin })
  }

  private now(): number {
    return this.clock ? this.clock() : this.requestTime
  }

  /** The configuration that a merchant enters. */
  config(keyMode: 'certificate' | 'public key' = 'certificate'): Record<string, string> {
    const publicKey = this.keys.get(this.publicKeyId)!.publicKey
    return {
      app_id: this.appId,
      mch_id: this.merchantId,
      mch_certificate_serial_number: this.merchantSerial,
      mch_apiv3_key: this.apiKey,
      mch_private_key: String(this.merchant.privateKey.export({ type: 'pkcs8', format: 'pem' })),
      pay_type: 'Native',
      api_url: this.url,
      ...(keyMode === 'public key' && {
        public_key_id: this.publicKeyId,
        public_key: String(publicKey.export({ type: 'spki', format: 'pem' })),
      }),
    }
  }

  /** The configuration of another merchant, whose notices the other key signs. */
  otherConfig(): Record<string, string> {
    return {
      ...this.config(),
      mch_id: '1900000002',
      mch_apiv3_key: this.otherApiKey,
      public_key_id: this.otherKeyId,
      public_key: String(this.other.publicKey.export({ type: 'spki', format: 'pem' })),
    }
  }

  /** Replaces the platform certificate, as the vendor does every five years. The old one is offered until it expires. */
  rotate(serial: string, oldExpiresAt: number): void {
    this.expiry.set(this.signer, oldExpiresAt)
    this.keys.set(serial, pairOf())
    this.signer = serial
  }

  /** The payer pays. A payment that is on its way when the order is closed arrives all the same. */
  pay(tradeNo: string): VendorTrade {
    const trade = this.trades.get(tradeNo)
    if (!trade || trade.paid > 0) throw new Error(`${tradeNo} cannot be paid`)
    return Object.assign(trade, { state: 'paid', paid: trade.amount })
  }

  /** The notice of a payment, with fields changed before it is sealed and signed. */
  notice(tradeNo: string, changes: Content = {}, options: SealOptions = {}): SentNotice {
    const trade = this.trades.get(tradeNo)!
    const transaction = { ...this.transaction(trade), trade_state: 'SUCCESS' }
    return this.sealed('TRANSACTION.SUCCESS', { ...transaction, ...changes }, options)
  }

  refundNotice(
    tradeNo: string,
    refundNo: string,
    changes: Content = {},
    options: SealOptions = {},
  ): SentNotice {
    const trade = this.trades.get(tradeNo)!
    const { refund_status = 'SUCCESS' } = changes
    const content = {
      mchid: this.merchantId,
      out_trade_no: tradeNo,
      transaction_id: trade.number,
      out_refund_no: refundNo,
      refund_id: `5030${trade.number}`,
      refund_status,
      amount: { total: trade.amount, refund: trade.refunds.get(refundNo) },
      ...changes,
    }
    return this.sealed(`REFUND.${refund_status}`, content, options)
  }

  /** A notice with any content. */
  sealed(type: string, content: Content, options: SealOptions = {}): SentNotice {
    const resource = {
      original_type: 'transaction',
      algorithm: 'AEAD_AES_256_GCM',
      ...seal(JSON.stringify(content), options.apiKey ?? this.apiKey, 'transaction'),
    }
    const body = JSON.stringify({
      id: 'EV-2018022511223320873',
      create_time: '2026-11-24T10:00:00+08:00',
      resource_type: 'encrypt-resource',
      event_type: type,
      summary: '支付成功',
      resource,
    })
    const headers = this.signatureHeaders(body, options)
    return { method: 'POST', query: '', headers: { ...json, ...headers }, body }
  }

  private signatureHeaders(
    body: string,
    { signer = 'wxpay', serial = this.signer, at = this.now() }: SealOptions = {},
  ): Record<string, string> {
    const nonce = randomBytes(16).toString('hex')
    const pair = signer === 'other' ? this.other : this.keys.get(this.signer)!
    const signature = sign('sha256', lines(at, nonce, body), pair.privateKey)
    return {
      'wechatpay-timestamp': String(at),
      'wechatpay-nonce': nonce,
      'wechatpay-serial': serial,
      'wechatpay-signature': signature.toString('base64'),
      'wechatpay-signature-type': 'WECHATPAY2-SHA256-RSA2048',
    }
  }

  private handle(request: IncomingMessage, body: string): VendorAnswer {
    const { method = '', url = '' } = request
    this.calls.push(`${method} ${url}`)
    if (this.mode === 'error page') return errorPage
    const { status, content } = this.requestError(request, body) ?? this.answer(method, url, body)
    const text = content ? JSON.stringify(content) : ''
    // The documentation promises a signature for successes only.
    const isSigned = status < 300 && this.mode !== 'unsigned'
    const signer = this.mode === 'other key' ? 'other' : 'wxpay'
    return {
      status,
      headers: { ...json, ...(isSigned && this.signatureHeaders(text, { signer })) },
      body: text,
    }
  }

  private requestError(
    { method = '', url = '', headers }: IncomingMessage,
    body: string,
  ): Answer | undefined {
    if (this.mode === 'overloaded') return fail(500, 'SYSTEM_ERROR', '系统异常，请稍后重试')
    if (!headers.accept || !headers['user-agent'])
      return fail(406, 'PARAM_ERROR', 'Accept and User-Agent are required')
    const [scheme, list = ''] = (headers.authorization ?? '').split(/ (.*)/)
    const fields = Object.fromEntries(
      [...list.matchAll(/(\w+)="([^"]*)"/g)].map(([, name, value]) => [name, value]),
    )
    const {
      mchid,
      serial_no,
      timestamp = '',
      nonce_str = '',
      signature = '',
    } = fields as Record<string, string>
    const isOurs = mchid === this.merchantId && serial_no === this.merchantSerial
    if (!this.clock) this.requestTime = Number(timestamp)
    const isTimely = Math.abs(Number(timestamp) - this.now()) <= 300
    const text = lines(method, url, timestamp, nonce_str, body)
    const isSigned = verify(
      'sha256',
      text,
      this.merchant.publicKey,
      Buffer.from(signature, 'base64'),
    )
    if (scheme === 'WECHATPAY2-SHA256-RSA2048' && isOurs && isTimely && isSigned) return undefined
    return fail(401, 'SIGN_ERROR', '签名错误')
  }

  private answer(method: string, target: string, body: string): Answer {
    const { pathname, searchParams } = new URL(target, this.url)
    const content = JSON.parse(body || '{}') as Content
    if (pathname === '/v3/certificates')
      return { status: 200, content: { data: this.certificates() } }
    if (pathname === '/v3/pay/transactions/native') return this.create(content)
    if (pathname === '/v3/refund/domestic/refunds') return makeRefund(this.trades, content)
    const refund = /^\/v3\/refund\/domestic\/refunds\/([\w|*@-]+)$/.exec(pathname)
    if (refund) return findRefund(this.trades, refund[1]!)
    const [, tradeNo = '', action] =
      /^\/v3\/pay\/transactions\/out-trade-no\/(\w+)(\/close)?$/.exec(pathname) ?? []
    const trade = this.trades.get(tradeNo)
    const merchant = action ? content.mchid : searchParams.get('mchid')
    if (merchant !== this.merchantId) return fail(400, 'PARAM_ERROR', 'mchid')
    if (!trade) return fail(404, 'ORDER_NOT_EXIST', '订单不存在')
    if (method === 'GET') return { status: 200, content: this.transaction(trade) }
    if (trade.paid > 0) return fail(400, 'ORDERPAID', '订单已支付')
    if (trade.state === 'closed') return fail(400, 'ORDER_CLOSED', '订单已关闭')
    trade.state = 'closed'
    return { status: 204 }
  }

  private certificates() {
    return [...this.keys]
      .filter(([serial]) => serial !== this.publicKeyId)
      .map(([serial, pair]) => {
        const pem = makeCertificate(
          pair,
          serial,
          this.expiry.get(serial) ?? this.now() + 5 * 365 * 86_400,
        )
        return {
          serial_no: serial,
          encrypt_certificate: {
            algorithm: 'AEAD_AES_256_GCM',
            ...seal(pem, this.apiKey, 'certificate'),
          },
        }
      })
  }

  private transaction(trade: VendorTrade): Content {
    const state = {
      waiting: 'NOTPAY',
      paid: trade.refunded > 0 ? 'REFUND' : 'SUCCESS',
      closed: 'CLOSED',
    }[trade.state]
    return {
      appid: this.appId,
      mchid: this.merchantId,
      out_trade_no: trade.tradeNo,
      trade_state: state,
      trade_state_desc: '支付成功',
      ...(trade.state === 'paid' && { transaction_id: trade.number, trade_type: 'NATIVE' }),
      amount: {
        total: trade.amount,
        payer_total: trade.amount,
        currency: 'CNY',
        payer_currency: 'CNY',
      },
    }
  }

  private create(content: Content): Answer {
    const {
      appid,
      mchid,
      out_trade_no: tradeNo,
      description,
      notify_url,
      time_expire,
    } = content as Record<string, string>
    const { total, currency } = (content.amount ?? {}) as { total?: number; currency?: string }
    const isValid =
      appid === this.appId &&
      mchid === this.merchantId &&
      /^[\w*-]{6,32}$/.test(tradeNo ?? '') &&
      description &&
      Buffer.byteLength(description) <= 127 &&
      /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[+-]\d\d:\d\d$/.test(time_expire ?? '') &&
      URL.canParse(notify_url ?? '') &&
      Number.isSafeInteger(total) &&
      total! > 0 &&
      currency === 'CNY'
    if (!isValid) return fail(400, 'PARAM_ERROR', '参数错误')
    const known = this.trades.get(tradeNo!)
    if (known && known.amount !== total) return fail(403, 'OUT_TRADE_NO_USED', '商户订单号重复')
    const number = `42000${String(this.trades.size).padStart(23, '0')}`
    if (!known) this.trades.set(tradeNo!, makeTrade(tradeNo!, total!, number, notify_url!))
    return { status: 200, content: { code_url: `weixin://wxpay/bizpayurl?pr=${tradeNo}` } }
  }
}
