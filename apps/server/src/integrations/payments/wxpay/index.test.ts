import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  makeContext,
  newPayment,
  toRawNotice,
} from '../../../../../../test/harness/payments/context.ts'
import type { SentNotice } from '../../../../../../test/harness/payments/fake-vendor.ts'
import { FakeWxpay } from '../../../../../../test/harness/payments/wxpay/wxpay.ts'
import { wxpay } from './index.ts'

const start = 1_795_485_600
let now = start
let fake: FakeWxpay
const platformSerial = '440024045C4A427599D09BB4E3DE0279F2E813FD'
beforeAll(async () => {
  fake = await FakeWxpay.start(() => now)
})
afterAll(() => fake.close())
beforeEach(() => {
  now = start
  fake.mode = 'documented'
  fake.signer = platformSerial
  fake.calls.length = 0
})

const open = (keyMode?: 'certificate' | 'public key') =>
  makeContext(wxpay, fake.config(keyMode), () => now)
let count = 0
const order = (amount = 1999) => {
  count += 1
  return newPayment(`wx${String(count).padStart(26, 'a')}`, amount, now)
}
const paidOrder = async (keyMode?: 'certificate' | 'public key') => {
  const made = order()
  await wxpay.create(open(keyMode), made)
  fake.pay(made.tradeNo)
  return made
}
const read = (context: ReturnType<typeof open>, notice: SentNotice) =>
  wxpay.readNotice(context, toRawNotice(notice))
const downloads = () => fake.calls.filter(each => each === 'GET /v3/certificates').length

describe('the configuration', () => {
  const parse = (changes: Record<string, string>) =>
    wxpay.config.parse({ ...fake.config('public key'), ...changes })

  it('is valid with a public key and without', () => {
    expect(wxpay.check(parse({}))).toEqual({})
    expect(wxpay.check(wxpay.config.parse(fake.config()))).toEqual({})
  })

  it.each([
    ['mch_private_key', 'not a key'],
    ['public_key', 'not a key'],
    ['public_key', ''],
    ['public_key_id', ''],
  ])('with another %s is refused, which is named', (name, value) => {
    expect(() => wxpay.check(parse({ [name]: value }))).toThrow(`\`${name}\``)
  })

  it.each([
    ['mch_apiv3_key', 'short'],
    ['app_id', 'wx1'],
    ['mch_id', 'abc'],
    ['public_key_id', 'KEY'],
    ['api_url', 'https://user:pass@host'],
  ])('with a %s of another form is not accepted', (name, value) => {
    expect(() => parse({ [name]: value })).toThrow()
  })
})

describe.each(['certificate', 'public key'] as const)('in the mode with a %s', keyMode => {
  beforeEach(() => {
    fake.signer = keyMode === 'certificate' ? platformSerial : fake.publicKeyId
  })

  it('a payment is a QR code', async () => {
    const made = order()
    const { instruction } = await wxpay.create(open(keyMode), made)
    expect(instruction).toEqual({ kind: 'qr', url: `weixin://wxpay/bizpayurl?pr=${made.tradeNo}` })
    expect(fake.trades.get(made.tradeNo)).toMatchObject({ amount: 1999, notifyUrl: made.notifyUrl })
  })

  it('the state follows the books of WeChat Pay', async () => {
    const made = order()
    const query = () => wxpay.query(open(keyMode), made)
    expect(await query()).toEqual({ state: 'unpaid', events: [] })
    await wxpay.create(open(keyMode), made)
    expect(await query()).toEqual({ state: 'unpaid', events: [] })
    const { number: gatewayNo } = fake.pay(made.tradeNo)
    const paid = { kind: 'paid', tradeNo: made.tradeNo, gatewayNo, amount: 1999, currency: 'CNY' }
    expect(await query()).toEqual({ state: 'paid', events: [paid] })
    await wxpay.refund(open(keyMode), made, `a-${made.tradeNo.slice(-20)}`, 500)
    expect(await query()).toEqual({ state: 'paid', events: [{ ...paid, unverified: true }] })
  })

  it.each(['other key', 'unsigned', 'overloaded', 'error page'] as const)(
    'the state is unknown when the answer is: %s',
    async mode => {
      const made = await paidOrder(keyMode)
      fake.mode = mode
      await expect(wxpay.query(open(keyMode), made)).rejects.toMatchObject({
        code: 'payment.unreachable',
      })
    },
  )

  it('closing closes an unpaid order, and twice is the same', async () => {
    const made = order()
    await wxpay.create(open(keyMode), made)
    expect(await wxpay.close(open(keyMode), made)).toBe('closed')
    expect(await wxpay.close(open(keyMode), made)).toBe('closed')
    expect(fake.trades.get(made.tradeNo)?.state).toBe('closed')
    expect(await wxpay.query(open(keyMode), made)).toMatchObject({ state: 'closed' })
  })

  it('closing finds a payment that came first, and an order that never was', async () => {
    expect(await wxpay.close(open(keyMode), await paidOrder(keyMode))).toBe('paid')
    expect(await wxpay.close(open(keyMode), order())).toBe('closed')
  })

  it('a refund returns money once for one number', async () => {
    const made = await paidOrder(keyMode)
    const refund = (id: string, amount: number) => wxpay.refund(open(keyMode), made, id, amount)
    const id = `c-${made.tradeNo.slice(-20)}`
    expect(await wxpay.queryRefund(open(keyMode), made, id)).toBeUndefined()
    expect(await refund(id, 500)).toEqual({ state: 'pending' })
    expect(await refund(id, 500)).toEqual({ state: 'done' })
    expect(await wxpay.queryRefund(open(keyMode), made, id)).toMatchObject({ state: 'done' })
    const other = await paidOrder(keyMode)
    expect(await wxpay.queryRefund(open(keyMode), other, id)).toBeUndefined()
    expect([...fake.trades.get(made.tradeNo)!.refunds.values()]).toEqual([500])
    await expect(refund('refund-2', 1500)).rejects.toMatchObject({ code: 'payment.refused' })
  })

  it('the first notice after a cold start is verified', async () => {
    const { tradeNo } = await paidOrder(keyMode)
    const { number: gatewayNo } = fake.trades.get(tradeNo)!
    const event = { kind: 'paid', tradeNo, gatewayNo, amount: 1999, currency: 'CNY' }
    const result = await read(open(keyMode), fake.notice(tradeNo))
    expect(result).toMatchObject({ ok: true, events: [event], accepted: { status: 204, body: '' } })
  })
})

describe('a notice', () => {
  it('of a refund states it by our number', async () => {
    const made = await paidOrder()
    const id = `b-${made.tradeNo.slice(-20)}`
    await wxpay.refund(open(), made, id, 500)
    const readRefund = (refund_status = 'SUCCESS') =>
      read(open(), fake.refundNotice(made.tradeNo, id, { refund_status }))
    const refunded = { kind: 'refunded', id, amount: 500 }
    expect(await readRefund()).toMatchObject({ events: [{ ...refunded, state: 'done' }] })
    expect(await readRefund('CLOSED')).toMatchObject({ events: [{ ...refunded, state: 'failed' }] })
    expect(await readRefund('ABNORMAL')).toMatchObject({
      events: [{ ...refunded, state: 'pending' }],
    })
  })

  it.each([
    ['merchant', { mchid: '1900000002' }],
    ['app', { appid: 'wx0000000000000000' }],
  ] as const)(
    'of another %s is marked, although WeChat Pay signed it',
    async (mismatch, changes) => {
      const { tradeNo } = await paidOrder()
      const result = await read(open(), fake.notice(tradeNo, changes))
      expect(result).toMatchObject({ ok: true, events: [{ mismatch }] })
    },
  )

  it.each([
    ['a fraction', { total: 19.99 }],
    ['a text', { total: '1999' }],
    ['a negative number', { total: -1 }],
    ['nothing', {}],
  ])('with %s as amount is malformed', async (_, amount) => {
    const { tradeNo } = await paidOrder()
    const result = await read(open(), fake.notice(tradeNo, { amount }))
    expect(result).toMatchObject({ ok: false, reason: 'malformed', answer: { status: 400 } })
  })

  it('in another currency names it', async () => {
    const { tradeNo } = await paidOrder()
    const amount = { total: 1999, currency: 'HKD' }
    const result = await read(open(), fake.notice(tradeNo, { amount }))
    expect(result).toMatchObject({ ok: true, events: [{ amount: 1999, currency: 'HKD' }] })
  })

  it('of another event is acknowledged', async () => {
    const notice = fake.sealed('PAYSCORE.USER_OPEN_SERVICE', { mchid: fake.merchantId })
    expect(await read(open(), notice)).toMatchObject({ ok: true, events: [] })
  })

  it('older or newer than five minutes is refused', async () => {
    const { tradeNo } = await paidOrder()
    const notice = fake.notice(tradeNo)
    for (const skew of [-301, 301, 30 * 86_400]) {
      now = start + skew
      expect(await read(open(), notice)).toMatchObject({ ok: false, reason: 'expired' })
    }
  })

  it('signed by another key is refused', async () => {
    const { tradeNo } = await paidOrder()
    const refusal = { ok: false, reason: 'signature', answer: { status: 401 } }
    expect(await read(open(), fake.notice(tradeNo, {}, { signer: 'other' }))).toMatchObject(refusal)
    const notice = fake.notice(tradeNo)
    for (const serial of ['', 'PUB_KEY_ID_', fake.publicKeyId, 'AAAAAAAAAAAAAAAA', '../v3/x']) {
      const headers = { ...notice.headers, 'wechatpay-serial': serial }
      expect(await read(open(), { ...notice, headers })).toMatchObject(refusal)
    }
  })

  it('of a forger without the API key makes no request to WeChat Pay', async () => {
    const forged = fake.sealed('TRANSACTION.SUCCESS', {}, { apiKey: 'b'.repeat(32) })
    expect(await read(open(), forged)).toMatchObject({ ok: false, reason: 'signature' })
    expect(fake.calls).toEqual([])
  })

  it.each(['', '{', '[]', 'null', '{"event_type":1}', '<html>'])(
    'with the body "%s" is malformed',
    async text => {
      const notice = { ...fake.notice((await paidOrder()).tradeNo), body: text }
      expect(await read(open(), notice)).toMatchObject({
        ok: false,
        reason: 'malformed',
      })
    },
  )
})

describe('platform certificates', () => {
  const serial = '5DEA10EF55877E3CF6C33255C2E7DEFFF7E427EC'
  beforeEach(async () => {
    await fake.close()
    fake = await FakeWxpay.start(() => now)
  })

  it('are downloaded once, and again after the vendor changed them', async () => {
    const context = open()
    const made = await paidOrder()
    fake.calls.length = 0
    for (let at = 0; at < 3; at += 1) await wxpay.query(context, made)
    expect(downloads()).toBe(1)
    fake.rotate(serial, now + 86_400)
    for (let at = 0; at < 3; at += 1) await wxpay.query(context, made)
    expect(downloads()).toBe(2)
  })

  it('that have expired verify nothing', async () => {
    const context = open()
    const made = await paidOrder()
    fake.rotate(serial, now - 1)
    fake.signer = platformSerial
    await expect(wxpay.query(context, made)).rejects.toMatchObject({ code: 'payment.unreachable' })
  })

  it('are refused when the API key does not open them', async () => {
    const made = await paidOrder()
    const config = { ...fake.config(), mch_apiv3_key: 'c'.repeat(32) }
    const context = makeContext(wxpay, config, () => now)
    await expect(wxpay.query(context, made)).rejects.toThrow('mch_apiv3_key')
  })

  it('are not needed when the header names the public key', async () => {
    fake.signer = fake.publicKeyId
    const made = await paidOrder('public key')
    await wxpay.query(open('public key'), made)
    expect(downloads()).toBe(0)
  })
})
