import { createHash } from 'node:crypto'
import fc from 'fast-check'
import Stripe from 'stripe'
import { describe, expect, it } from 'vitest'
import { makeContext } from '../../../../../test/harness/payments/context.ts'
import { signed } from './bepusdt/signature.ts'
import { md5Signature } from './md5-signature.ts'
import { stripe } from './stripe/index.ts'

const orders = 1000
const text = fc.string({ unit: 'binary', maxLength: 20 })

/** Epay and BEpusdt have SDKs in Python only. scripts/payment-vectors.py prints the digests of what they sign. */
const key = '89unJUB8HZ54Hj7x4nUj56HN4nUzUJ8i'
const sha256 = (content: string) => createHash('sha256').update(content).digest('hex')

const orderOf = (n: number) => {
  const digest = sha256(`order ${n}`)
  return {
    number: digest.slice(0, 24),
    cents: (Number.parseInt(digest.slice(-8), 16) % 99_999_999) + 1,
    notify_url: `https://hub.example/api/payment/notify/${digest.slice(0, 8)}`,
    name: `充值 100% a+b&c=${n} 積分`,
  }
}

const digestOf = (signatureOf: (n: number) => string) =>
  sha256(Array.from({ length: orders }, (_, n) => signatureOf(n)).join(''))

describe('BEpusdt', () => {
  it(`signs ${orders} orders as the SDK does`, () => {
    const signatureOf = (n: number): string => {
      const { number, cents, notify_url, name } = orderOf(n)
      const fields = {
        order_id: `bu${number}`,
        amount: cents / 100,
        notify_url,
        redirect_url: `https://hub.example/panel/topup?trade_no=bu${number}`,
        name,
        trade_type: ['usdt.trc20', 'tron.trx', ''][n % 3],
      }
      return JSON.parse(signed(fields, key)).signature
    }
    expect(digestOf(signatureOf)).toBe(
      '4583961faa4dcf721d575c56f98643ca226209411dc91e11360563c86f0d62ef',
    )
  })

  // The example of the documentation of Epusdt, whose protocol BEpusdt keeps.
  it('signs the documented example as documented', () => {
    const fields = {
      order_id: '20220201030210321',
      amount: 42,
      notify_url: 'http://example.com/notify',
      redirect_url: 'http://example.com/redirect',
    }
    const body = JSON.parse(signed(fields, 'epusdt_password_xasddawqe'))
    expect(body).toEqual({ ...fields, signature: '1cd4b52df5587cfb1968b0c0c6e156cd' })
  })
})

describe('Epay', () => {
  it(`signs ${orders} orders as the SDK does`, () => {
    const signatureOf = (n: number): string => {
      const { number, cents, notify_url, name } = orderOf(n)
      const money = `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`
      const type = ['alipay', 'wxpay', ''][n % 3]!
      const return_url = `https://hub.example/panel/topup?trade_no=ep${number}`
      const order = { out_trade_no: `ep${number}`, notify_url, return_url, name, money, type }
      const fixed = { pid: '1001', device: 'pc', param: '', sign_type: 'MD5' }
      return md5Signature({ ...order, ...fixed }, key, ['sign', 'sign_type'])
    }
    expect(digestOf(signatureOf)).toBe(
      'a190d8a9302155facc5d3941055ac73a88df0c9e0c316a4d462a03d7664c53cf',
    )
  })

  const fields = {
    pid: '1001',
    type: 'alipay',
    out_trade_no: '20160806151343349',
    notify_url: 'http://www.pay.com/notify_url.php',
    return_url: 'http://www.pay.com/return_url.php',
    name: 'VIP会员',
    money: '1.00',
    param: '',
    sign_type: 'MD5',
  }

  // Each text was written by hand after the rule of the panels: sorted, without empty values, followed by the key.
  it.each([
    [
      fields,
      `money=1.00&name=VIP会员&notify_url=http://www.pay.com/notify_url.php&out_trade_no=20160806151343349&pid=1001&return_url=http://www.pay.com/return_url.php&type=alipay${key}`,
    ],
    [{ b: '2', a: '1', B: '3', sign: 'x' }, `B=3&a=1&b=2${key}`],
    [{ name: '100% a+b &=', pid: '0' }, `name=100% a+b &=&pid=0${key}`],
    [{ pid: '', sign_type: 'MD5' }, key],
  ])('signs %j as the panels do', (each, signedText) => {
    const expected = createHash('md5').update(signedText).digest('hex')
    expect(md5Signature(each, key, ['sign', 'sign_type'])).toBe(expected)
  })
})

describe('Stripe', () => {
  const now = 1_795_485_600
  const config = { secret_key: 'sk_test_1', webhook_secret: 'whsec_1' }
  const context = makeContext(stripe, config, () => now)
  const read = (body: string, header: string) =>
    stripe.readNotice(context, {
      method: 'POST',
      query: '',
      headers: { 'stripe-signature': header },
      body: Buffer.from(body),
    })
  const headerOf = (payload: string, secret = config.webhook_secret, timestamp = now) =>
    new Stripe(config.secret_key).webhooks.generateTestHeaderString({ payload, secret, timestamp })

  it(`reads ${orders} random events that the official library signs, and no changed one`, async () => {
    const session = fc.record({
      object: fc.constant('checkout.session'),
      client_reference_id: fc.constant('st1'),
      metadata: fc.constant({ trade_no: 'st1' }),
      payment_intent: fc.stringMatching(/^pi_[a-z0-9]{12}$/),
      payment_status: fc.constant('paid'),
      amount_total: fc.integer({ min: 1, max: 1e9 }),
      currency: fc.constantFrom('usd', 'cny'),
      note: text,
    })
    await fc.assert(
      fc.asyncProperty(session, async object => {
        const event = { object: 'event', type: 'checkout.session.completed', data: { object } }
        const body = JSON.stringify(event)
        const { amount_total: amount, payment_intent: gatewayNo } = object
        const paid = { kind: 'paid', tradeNo: 'st1', gatewayNo, amount }
        expect(await read(body, headerOf(body))).toMatchObject({ ok: true, events: [paid] })
        expect(await read(`${body} `, headerOf(body))).toMatchObject({ ok: false })
        expect(await read(body, headerOf(body, 'whsec_2'))).toMatchObject({ ok: false })
        expect(await read(body, headerOf(body, 'whsec_1', now - 301))).toMatchObject({ ok: false })
      }),
      { numRuns: orders },
    )
  })
})
