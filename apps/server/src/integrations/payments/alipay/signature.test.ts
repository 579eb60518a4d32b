import { generateKeyPairSync } from 'node:crypto'
import { AlipaySdk } from 'alipay-sdk'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readPublicKey, signRsa, verifyRsa } from '../rsa.ts'
import { readVerifiedAnswer, signRequest, verifyNotice } from './signature.ts'
import { publishedAnswer, publishedNotice } from './vectors.ts'

const ours = generateKeyPairSync('rsa', { modulusLength: 2048 })
const alipay = generateKeyPairSync('rsa', { modulusLength: 2048 })
const pem = (key: typeof ours.privateKey, type: 'pkcs8' | 'spki') =>
  String(key.export({ type, format: 'pem' }))

const sdk = new AlipaySdk({
  appId: '2021000000000001',
  privateKey: pem(ours.privateKey, 'pkcs8'),
  keyType: 'PKCS8',
  alipayPublicKey: pem(alipay.publicKey, 'spki'),
  camelcase: false,
})
/** Verifies as Alipay does, with the application's public key. */
const alipaySide = new AlipaySdk({
  appId: '2021000000000001',
  privateKey: pem(alipay.privateKey, 'pkcs8'),
  keyType: 'PKCS8',
  alipayPublicKey: pem(ours.publicKey, 'spki'),
})

/** `npm run test:long` raises it to 5,000. */
const orders = Number(process.env.HUB_SIGNED_ORDERS ?? 300)
const text = fc.string({ unit: 'binary', minLength: 1, maxLength: 40 })
const cents = fc.integer({ min: 1, max: 100_000_000_00 })
const order = fc.record({
  out_trade_no: fc.stringMatching(/^al[a-z2-7]{26}$/),
  total_amount: cents.map(
    each => `${Math.floor(each / 100)}.${String(each % 100).padStart(2, '0')}`,
  ),
  subject: fc.oneof(text, fc.constantFrom('100% 充值', '%41&a=b', 'a+b c', '"\\', '積分チャージ')),
})

describe('the published vectors of Alipay', () => {
  it('verify with their key, and with no byte changed', () => {
    const key = readPublicKey(publishedNotice.publicKey)!
    const { params } = publishedNotice
    expect(verifyNotice(params, key)).toBe(true)
    for (const name of Object.keys(params)) {
      expect(verifyNotice({ ...params, [name]: `${params[name as 'sign']}0` }, key)).toBe(false)
      expect(verifyNotice({ ...params, [name]: '' }, key)).toBe(false)
    }
  })

  it('hold for answers, over the exact bytes', () => {
    const { body, responseKey, publicKey } = publishedAnswer
    const key = readPublicKey(publicKey)!
    expect(readVerifiedAnswer(body, responseKey, key)).toMatchObject({ code: '10000' })
    expect(
      readVerifiedAnswer(body.replace('"code":"', '"code": "'), responseKey, key),
    ).toBeUndefined()
    expect(readVerifiedAnswer(body.replace('10000', '10001'), responseKey, key)).toBeUndefined()
  })
})

describe('against the official SDK', () => {
  it(`signs ${orders} random orders as the SDK does`, () => {
    fc.assert(
      fc.property(order, each => {
        const content = JSON.stringify(each)
        // The SDK adds its own timestamp, so that the signature is made over the parameters it sent.
        const sent = Object.fromEntries(
          new URLSearchParams(
            sdk.sdkExecute('alipay.trade.app.pay', {
              bizContent: each,
              notifyUrl: 'https://hub.example/api/payment/notify/0a',
            }),
          ),
        )
        const { sign, ...params } = sent
        expect(params.biz_content).toBe(content)
        expect(signRequest(params, ours.privateKey).sign).toBe(sign)
      }),
      { numRuns: orders },
    )
  })

  it(`signs ${orders} random requests that the SDK of the other side verifies`, () => {
    fc.assert(
      fc.property(order, each => {
        const params = {
          app_id: '2021000000000001',
          sign_type: 'RSA2',
          return_url: '',
          biz_content: JSON.stringify(each),
        }
        expect(alipaySide.checkNotifySignV2({ ...signRequest(params, ours.privateKey) })).toBe(true)
      }),
      { numRuns: orders },
    )
  })

  it(`accepts ${orders} random notices that the SDK signs and verifies`, () => {
    fc.assert(
      fc.property(order, text, (each, other) => {
        const params = {
          ...each,
          app_id: '2021000000000001',
          trade_status: 'TRADE_SUCCESS',
          body: other,
        }
        const signed = Object.keys(params).sort()
        const message = signed.map(key => `${key}=${params[key as 'body']}`).join('&')
        const notice = { ...params, sign_type: 'RSA2', sign: signRsa(alipay.privateKey, message) }
        expect(sdk.checkNotifySignV2(notice)).toBe(true)
        expect(verifyNotice(notice, alipay.publicKey)).toBe(true)
        expect(verifyNotice({ ...notice, body: `${other} ` }, alipay.publicKey)).toBe(false)
      }),
      { numRuns: orders },
    )
  })

  it('cuts the signed bytes of an answer where the SDK does', () => {
    fc.assert(
      fc.property(order, each => {
        const answer = JSON.stringify({ code: '10000', msg: 'Success', sign: 'x', ...each })
        const signature = signRsa(alipay.privateKey, answer)
        const body = `{"alipay_trade_query_response":${answer},"sign":"${signature}"}`
        sdk.checkResponseSign(body, 'alipay_trade_query_response', signature, '')
        expect(readVerifiedAnswer(body, 'alipay_trade_query_response', alipay.publicKey)).toEqual(
          JSON.parse(answer),
        )
      }),
      { numRuns: orders },
    )
  })
})

describe('where the SDK errs', () => {
  const sign = (params: Record<string, string>) => {
    const message = Object.keys(params)
      .sort()
      .map(key => `${key}=${params[key]}`)
      .join('&')
    return { ...params, sign_type: 'RSA2', sign: signRsa(alipay.privateKey, message) }
  }

  it('does not decode values before it verifies', () => {
    for (const subject of ['100% 充值', '%41', 'a+b'])
      expect(verifyNotice(sign({ subject }), alipay.publicKey)).toBe(true)
    expect(verifyNotice({ ...sign({ subject: 'A' }), subject: '%41' }, alipay.publicKey)).toBe(
      false,
    )
  })

  it('leaves parameters without a value out of the signed text', () => {
    const notice = { ...sign({ subject: 'a' }), extra: '' }
    expect(sdk.checkNotifySignV2(notice)).toBe(false)
    expect(verifyNotice(notice, alipay.publicKey)).toBe(true)
  })

  it.each(['', 'RSA', 'MD5', 'rsa2', 'RSA2 ', '__proto__'])(
    'refuses the signature type "%s"',
    type => {
      expect(verifyNotice({ ...sign({ subject: 'a' }), sign_type: type }, alipay.publicKey)).toBe(
        false,
      )
    },
  )

  it('refuses a notice without a signature, or signed by another key', () => {
    const { sign: signature, ...rest } = sign({ subject: 'a' })
    expect(verifyNotice(rest, alipay.publicKey)).toBe(false)
    expect(verifyNotice({ ...rest, sign: signature }, ours.publicKey)).toBe(false)
    expect(verifyRsa(alipay.publicKey, 'subject=a', signature)).toBe(true)
  })

  it('refuses answers of another shape', () => {
    const answer = '{"code":"10000"}'
    const signature = signRsa(alipay.privateKey, answer)
    const key = 'alipay_trade_query_response'
    const bodies = [
      '',
      '<html></html>',
      '[]',
      `{"${key}":${answer}}`,
      `{"${key}":${answer},"sign":1}`,
      `{"${key}":${answer},"sign":"${signature}"`,
      `{"error_response":${answer},"sign":"${signature}"}`,
      `{"x":{"${key}":${answer}},"sign":"${signature}"}`,
      `{"${key}":[${answer}],"sign":"${signature}"}`,
      `{"${key}":${answer},"${key}":{"code":"1"},"sign":"${signature}"}`,
      `{"${key}":${answer},"sign":"${signature}"} x`,
    ]
    for (const body of bodies)
      expect(readVerifiedAnswer(body, key, alipay.publicKey)).toBeUndefined()
  })
})
