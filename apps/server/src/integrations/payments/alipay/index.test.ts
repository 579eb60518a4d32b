import { generateKeyPairSync } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { FakeAlipay } from '../../../../../../test/harness/payments/alipay/alipay.ts'
import {
  makeContext,
  newPayment,
  toRawNotice,
} from '../../../../../../test/harness/payments/context.ts'
import type { SentNotice } from '../../../../../../test/harness/payments/fake-vendor.ts'
import type { ReadNotice, VendorRequest, VendorResponse } from '../payment-gateway.ts'
import { alipay } from './index.ts'
import { publishedNotice } from './vectors.ts'

const now = 1_795_485_600
let fake: FakeAlipay
beforeAll(async () => {
  fake = await FakeAlipay.start()
})
afterAll(() => fake.close())
beforeEach(() => {
  fake.mode = 'documented'
  fake.calls.length = 0
})

const open = (payType?: 'facepay' | 'pagepay' | 'wappay') =>
  makeContext(alipay, fake.config(payType), () => now)
let count = 0
const order = (amount = 1999) => {
  count += 1
  return newPayment(`al${String(count).padStart(26, 'a')}`, amount, now)
}
const paidOrder = async (amount = 1999) => {
  const made = order(amount)
  await alipay.create(open(), made)
  fake.pay(made.tradeNo)
  return made
}
const readNotice = (notice: SentNotice) =>
  alipay.readNotice(open(), toRawNotice(notice)) as ReadNotice
const read = (tradeNo: string, ...rest: [Record<string, string>?, ('alipay' | 'other')?]) =>
  readNotice(fake.notice(tradeNo, ...rest))

describe('the configuration', () => {
  const parse = (changes: Record<string, string>) =>
    alipay.config.parse({ ...fake.config(), ...changes })

  it('shows the public half of the private key', () => {
    const { application_public_key: half } = alipay.check(parse({}))
    expect(half).toMatch(/^MIIB/)
  })

  it('takes keys without PEM lines, as the key tool of Alipay writes them', () => {
    const bare = (pem: string) => pem.replace(/-----[A-Z ]+-----|\s/g, '')
    const { private_key = '', public_key = '' } = fake.config()
    expect(
      alipay.check(parse({ private_key: bare(private_key), public_key: bare(public_key) })),
    ).toEqual(alipay.check(parse({})))
  })

  it.each([
    ['private_key', 'not a key'],
    ['public_key', 'not a key'],
  ])('refuses a %s that cannot be read, and names it', (name, value) => {
    expect(() => alipay.check(parse({ [name]: value }))).toThrow(`\`${name}\``)
  })

  it('refuses the own public key in place of the one of Alipay', () => {
    const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
    const own = {
      private_key: String(privateKey.export({ type: 'pkcs1', format: 'pem' })),
      public_key: String(publicKey.export({ type: 'spki', format: 'pem' })),
    }
    expect(() => alipay.check(parse(own))).toThrow('that Alipay shows')
  })
})

describe('a payment', () => {
  it('by facepay is a QR code', async () => {
    const made = order()
    const { instruction } = await alipay.create(open(), made)
    expect(instruction).toEqual({ kind: 'qr', url: `https://qr.alipay.com/bax${made.tradeNo}` })
    expect(fake.trades.get(made.tradeNo)).toMatchObject({ amount: 1999, notifyUrl: made.notifyUrl })
  })

  it.each(['pagepay', 'wappay'] as const)(
    'by %s is an address that Alipay accepts',
    async payType => {
      const made = order(5)
      const { instruction } = await alipay.create(open(payType), made)
      expect(instruction.kind).toBe('redirect')
      expect(await (await fetch(instruction.url)).text()).toContain('Cashier')
      expect(fake.trades.get(made.tradeNo)?.amount).toBe(5)
    },
  )

  it('that Alipay declines is refused with its text', async () => {
    const made = order()
    await alipay.create(open(), made)
    const other = { ...made, amount: 2000 }
    await expect(alipay.create(open(), other)).rejects.toThrow('交易信息被篡改')
  })
})

describe('the state', () => {
  it('before the payer scans is unpaid', async () => {
    expect(await alipay.query(open(), order())).toEqual({ state: 'unpaid', events: [] })
  })

  it('follows the books of Alipay', async () => {
    const made = order()
    const query = () => alipay.query(open(), made)
    await alipay.create(open(), made)
    expect(await query()).toEqual({ state: 'unpaid', events: [] })
    const { number: gatewayNo } = fake.pay(made.tradeNo)
    const paid = { kind: 'paid', tradeNo: made.tradeNo, gatewayNo, amount: 1999, currency: 'CNY' }
    expect(await query()).toEqual({ state: 'paid', events: [paid] })
    await alipay.refund(open(), made, 'refund-1', 1999)
    const { tradeNo } = made
    const refunded = { kind: 'refunded-total', tradeNo, gatewayNo, amount: 1999 }
    expect(await query()).toEqual({ state: 'paid', events: [paid, refunded] })
  })

  it.each(['other key', 'unsigned', 'overloaded', 'error page'] as const)(
    'is unknown when the answer is: %s',
    async mode => {
      const made = await paidOrder()
      fake.mode = mode
      await expect(alipay.query(open(), made)).rejects.toMatchObject({
        code: 'payment.unreachable',
      })
    },
  )

  it('is not taken from an answer about another trade', async () => {
    const paid = await paidOrder()
    const context = open()
    const answers: VendorResponse[] = []
    const recording = {
      ...context,
      fetch: async (request: VendorRequest) => {
        const answer = await context.fetch(request)
        answers.push(answer)
        return answer
      },
    }
    expect(await alipay.query(recording, paid)).toMatchObject({ state: 'paid' })
    const replaying = { ...context, fetch: async () => answers[0]! }
    await expect(alipay.query(replaying, order())).rejects.toMatchObject({
      code: 'payment.unreachable',
    })
  })
})

describe('closing', () => {
  it('closes an unpaid trade, and twice is the same', async () => {
    const made = order()
    await alipay.create(open(), made)
    expect(await alipay.close(open(), made)).toBe('closed')
    expect(await alipay.close(open(), made)).toBe('closed')
    expect(fake.trades.get(made.tradeNo)?.state).toBe('closed')
  })

  it('finds a payment that came first', async () => {
    expect(await alipay.close(open(), await paidOrder())).toBe('paid')
  })

  it('of a trade that never began is done', async () => {
    expect(await alipay.close(open(), order())).toBe('closed')
  })
})

describe('a refund', () => {
  it('returns money once for one number', async () => {
    const made = await paidOrder()
    const refund = (id: string, amount: number) => alipay.refund(open(), made, id, amount)
    expect(await refund('refund-1', 500)).toEqual({ state: 'done' })
    expect(await refund('refund-1', 500)).toEqual({ state: 'done' })
    expect([...fake.trades.get(made.tradeNo)!.refunds.values()]).toEqual([500])
    await expect(refund('refund-2', 1500)).rejects.toMatchObject({ code: 'payment.refused' })
  })
})

describe('a notice', () => {
  it('of a payment states it, with parameters that have no value', async () => {
    const { tradeNo } = await paidOrder()
    const { number: gatewayNo } = fake.trades.get(tradeNo)!
    const event = { kind: 'paid', tradeNo, gatewayNo, amount: 1999, currency: 'CNY' }
    const result = await read(tradeNo)
    expect(result).toMatchObject({ ok: true, events: [event] })
    expect(result.ok && [result.accepted.body, result.failed.body]).toEqual(['success', 'failure'])
    const notice = fake.notice(tradeNo)
    expect(readNotice({ ...notice, body: `${notice.body}&empty=` })).toMatchObject({
      ok: true,
      events: [event],
    })
  })

  it('that the vendor published is read, and belongs to another app', async () => {
    const { params, publicKey } = publishedNotice
    const context = makeContext(alipay, { ...fake.config(), public_key: publicKey }, () => now)
    const body = new URLSearchParams(params).toString()
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const result = await alipay.readNotice(
      context,
      toRawNotice({ method: 'POST', query: '', headers, body }),
    )
    expect(result).toMatchObject({
      ok: true,
      events: [{ kind: 'paid', amount: 10, mismatch: 'app' }],
    })
  })

  it.each([
    ['app', { app_id: '2021000000000002' }],
    ['app', { app_id: '' }],
    ['merchant', { seller_id: '2088000000000002' }],
    ['merchant', { seller_id: '' }],
  ] as const)('of another %s is marked, although Alipay signed it', async (mismatch, changes) => {
    const { tradeNo } = await paidOrder()
    expect(await read(tradeNo, changes)).toMatchObject({ ok: true, events: [{ mismatch }] })
  })

  it('of a refund states the payment and the sum of refunds', async () => {
    const made = await paidOrder()
    await alipay.refund(open(), made, 'refund-1', 500)
    const paid = { kind: 'paid', amount: 1999 }
    expect(await read(made.tradeNo)).toMatchObject({
      events: [paid, { kind: 'refunded-total', amount: 500 }],
    })
    await alipay.refund(open(), made, 'refund-2', 1499)
    expect(await read(made.tradeNo)).toMatchObject({
      events: [paid, { kind: 'refunded-total', amount: 1999 }],
    })
  })

  it('of a closed trade, and of one that waits, states no payment', async () => {
    const made = order()
    await alipay.create(open(), made)
    expect(await read(made.tradeNo)).toMatchObject({ ok: true, events: [] })
    await alipay.close(open(), made)
    expect(await read(made.tradeNo)).toMatchObject({ events: [{ kind: 'closed' }] })
  })

  it('signed by another key, or of another type, is refused', async () => {
    const { tradeNo } = await paidOrder()
    const refusal = { ok: false, reason: 'signature', claimedTradeNo: tradeNo }
    expect(await read(tradeNo, {}, 'other')).toMatchObject(refusal)
    const notice = fake.notice(tradeNo)
    for (const type of ['RSA', 'MD5', '']) {
      const body = notice.body.replace('sign_type=RSA2', `sign_type=${type}`)
      expect(readNotice({ ...notice, body })).toMatchObject(refusal)
    }
  })

  it.each(['1.999', '-1', '1e3', '', 'x'])(
    'with the amount "%s" is malformed',
    async total_amount => {
      const { tradeNo } = await paidOrder()
      expect(await read(tradeNo, { total_amount })).toMatchObject({
        ok: false,
        reason: 'malformed',
      })
    },
  )

  it('with a parameter twice, or of another kind of request, is malformed', async () => {
    const { tradeNo } = await paidOrder()
    const notice = fake.notice(tradeNo)
    const malformed = { ok: false, reason: 'malformed', answer: { body: 'failure' } }
    const twice = { ...notice, body: `${notice.body}&total_amount=1.00` }
    for (const each of [
      twice,
      { ...notice, method: 'GET' as const },
      { ...notice, headers: {} },
      { ...notice, headers: { 'content-type': 'application/json' } },
    ])
      expect(readNotice(each)).toMatchObject(malformed)
  })
})
