import { createCipheriv, generateKeyPairSync } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Aes, Formatter, Rsa } from 'wechatpay-axios-plugin'
import { readPublicKey, verifyRsa } from '../rsa.ts'
import {
  authorizationOf,
  isAuthentic,
  isTimely,
  openResource,
  readSignatureHeaders,
} from './signature.ts'

const merchant = generateKeyPairSync('rsa', { modulusLength: 2048 })
const platform = generateKeyPairSync('rsa', { modulusLength: 2048 })
/** `npm run test:long` raises it to 5,000. */
const orders = Number(process.env.HUB_SIGNED_ORDERS ?? 300)
const apiKey = 'a7cde1ZJB1kG2e7VfTs3jQzaWizur8Gb'
const nonce = fc.stringMatching(/^[A-Za-z0-9]{16,32}$/)
const seconds = fc.integer({ min: 1_500_000_000, max: 4_000_000_000 })
const body = fc.record({
  description: fc.string({ unit: 'binary', maxLength: 40 }),
  out_trade_no: fc.stringMatching(/^wx[a-z2-7]{26}$/),
  amount: fc.record({ total: fc.integer({ min: 1, max: 1e10 }), currency: fc.constant('CNY') }),
})

describe('published vectors', () => {
  // wechatpay-apiv3/wechatpay-go, core/auth/verifiers/sha256withrsa_pubkey_verifier_test.go
  it('verifies the signature of wechatpay-go', () => {
    const key = readPublicKey(
      [
        'MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEA2VCTd91fnUn73Xy9DLvt/V62TVxRTEEstVdeRaZ3B3leO0pldE80',
        '6mXO4RwdHXagHQ4vGeZN0yqm++rDsGK+U3AH7kejyD2pXshNP9Cq5YwbptiLGtjcquw4HNxJQUOmDeJf2vg6byms9RUipiq4',
        'SzbJKqJFlUpbuIPDpSpWz10PYmyCNeDGUUK65E5h2B834uxl1zNLYQCrkdBzb8oUxwYeP5a2DNxmjL5lsJML7DGr5znsevno',
        'qGRwTm9fxCGfy8wus7hwKz6clt3Whmmda7UAdb1c08hEQFVRbF14AR73xbnd8N0obCWJPCbzMCtkaSef4FdEEgEXJiw0VAJT',
        '8wIDAQAB',
      ].join(''),
    )!
    const signature = [
      'BKyAfU4iMCuvXMXS0Wzam3V/cnxZ+JaqigPM5OhljS2iOT95OO6Fsuml2JkFANJU9K6q9bLlDhPXuoVz+pp4hAm6pHU4ld81',
      '5U4jsKu1RkyaII+1CYBUYC8TK0XtJ8FwUXXz8vZHh58rrAVN1XwNyvD1vfpxrMT4SL536GLwvpUHlCqIMzoZUguLli/K8V29',
      'QiOhuH6IEqLNJn8e9b3nwNcQ7be3CzYGpDAKBfDGPCqCv8Rw5zndhlffk2FEA70G4hvMwe51qMN/RAJbknXG23bSlObuTCN7',
      'Ndj1aJGH6/L+hdwfLpUtJm4QYVazzW7DFD27EpSQEqA8bX9+8m1rLg==',
    ].join('')
    expect(verifyRsa(key, 'source', signature)).toBe(true)
    expect(verifyRsa(key, 'wrong source', signature)).toBe(false)
  })

  // wechatpay-apiv3/wechatpay-java, core/…/cipher/AeadAesCipherTest.java
  it('opens the ciphertext of wechatpay-java', () => {
    const sealed = {
      ciphertext: 'ulwSiIajGClcvcOYvOQ7+l+0PAbzzwI=',
      nonce: 'uluk4a9R25RW',
      associated_data: 'associatedData',
    }
    expect(openResource(sealed, apiKey)).toBe('message')
    expect(openResource({ ...sealed, associated_data: 'other' }, apiKey)).toBeUndefined()
    expect(openResource({ ...sealed, nonce: 'uluk4a9R25RX' }, apiKey)).toBeUndefined()
    expect(openResource(sealed, apiKey.replace('a', 'b'))).toBeUndefined()
    expect(openResource({ ...sealed, ciphertext: '' }, apiKey)).toBeUndefined()
    expect(openResource(sealed, 'short')).toBeUndefined()
  })
})

describe('against an SDK of WeChat Pay v3', () => {
  it(`writes the Authorization header of ${orders} random requests as the SDK does`, () => {
    fc.assert(
      fc.property(body, nonce, seconds, (each, nonce, timestamp) => {
        const text = JSON.stringify(each)
        const target = `/v3/pay/transactions/out-trade-no/${each.out_trade_no}?mchid=1900000001`
        const header = authorizationOf(
          { method: 'POST', target, timestamp, nonce, body: text },
          { id: '1900000001', serial: '5F1C72E2A8931B72', key: merchant.privateKey },
        )
        const [, signature = ''] = /,signature="([^"]+)"/.exec(header) ?? []
        const message = Formatter.request('POST', target, String(timestamp), nonce, text)
        expect(Rsa.verify(message, signature, merchant.publicKey)).toBe(true)
        const fields = (value: string) => value.split(/[ ,]/).sort()
        expect(fields(header)).toEqual(
          fields(
            Formatter.authorization(
              '1900000001',
              nonce,
              signature,
              String(timestamp),
              '5F1C72E2A8931B72',
            ),
          ),
        )
      }),
      { numRuns: orders },
    )
  })

  it(`verifies and opens ${orders} random notices that the SDK signs and seals`, () => {
    fc.assert(
      fc.property(
        body,
        nonce,
        seconds,
        fc.stringMatching(/^[a-z0-9]{12}$/),
        (each, nonce, timestamp, iv) => {
          const plain = JSON.stringify(each)
          const ciphertext = Aes.AesGcm.encrypt(plain, apiKey, iv, 'transaction')
          const text = JSON.stringify({
            resource: { ciphertext, nonce: iv, associated_data: 'transaction' },
          })
          const signature = Rsa.sign(
            Formatter.response(String(timestamp), nonce, text),
            platform.privateKey,
          )
          const headers = { timestamp: String(timestamp), nonce, serial: 'A', signature }
          expect(isAuthentic(headers, Buffer.from(text), platform.publicKey, timestamp)).toBe(true)
          expect(isAuthentic(headers, Buffer.from(`${text} `), platform.publicKey, timestamp)).toBe(
            false,
          )
          expect(isAuthentic(headers, Buffer.from(text), merchant.publicKey, timestamp)).toBe(false)
          expect(
            openResource({ ciphertext, nonce: iv, associated_data: 'transaction' }, apiKey),
          ).toBe(plain)
        },
      ),
      { numRuns: orders },
    )
  })
})

it('reads the four signature headers, and none of them alone', () => {
  const all: Record<string, string> = {
    'wechatpay-timestamp': '1',
    'wechatpay-nonce': '2',
    'wechatpay-serial': '3',
    'wechatpay-signature': '4',
  }
  expect(readSignatureHeaders(name => all[name])).toEqual({
    timestamp: '1',
    nonce: '2',
    serial: '3',
    signature: '4',
  })
  for (const missing of Object.keys(all))
    expect(readSignatureHeaders(name => (name === missing ? undefined : all[name]))).toBeUndefined()
})

it('accepts a time within five minutes, in digits only', () => {
  const now = 1_700_000_000
  for (const skew of [-300, 0, 300]) expect(isTimely(String(now + skew), now)).toBe(true)
  for (const skew of [-301, 301]) expect(isTimely(String(now + skew), now)).toBe(false)
  for (const text of [
    '',
    ' 1700000000',
    '1.7e9',
    '0x6553f100',
    '+1700000000',
    '1700000000000',
    'NaN',
  ])
    expect(isTimely(text, now)).toBe(false)
})

it('refuses a tag shorter than 16 bytes', () => {
  const cipher = createCipheriv('aes-256-gcm', apiKey, '123456789012')
  const bytes = Buffer.concat([
    cipher.update('x'),
    cipher.final(),
    cipher.getAuthTag().subarray(0, 12),
  ])
  const sealed = {
    ciphertext: bytes.toString('base64'),
    nonce: '123456789012',
    associated_data: '',
  }
  expect(openResource(sealed, apiKey)).toBeUndefined()
})
