import { setTimeout as sleep } from 'node:timers/promises'
import type { Usage } from '@hub/dialects'
import { expect, it } from 'vitest'
import { type BillingApp, onEachEngine } from '../../test/billing-app.ts'
import { audit } from '../auditor/audit.ts'
import type { Call } from '../core/call.ts'
import * as accountRows from '../db/queries/accounts.ts'
import * as tokenSpend from '../db/queries/token-spend.ts'
import { liveHolds } from './calls/holds/live-holds.ts'
import type { CallResult, OpenHold, Reservation } from './open-hold.ts'
import { priceCache } from './price-cache.ts'
import { startBilling } from './start.ts'
import { sweep } from './sweep.ts'
import { usageOf } from './usage.ts'
import { withHold } from './with-hold.ts'

type OpenBillingApp = () => Promise<BillingApp>

const makeReservation = (more: Partial<Reservation> = {}): Reservation => ({
  models: ['m'],
  promptTokens: 100,
  outputMax: 100,
  n: 1,
  stream: false,
  ...more,
})
const makeResult = (usage: Partial<Usage>, more: Partial<CallResult> = {}): CallResult => ({
  model: 'm',
  requestedModel: 'm',
  channelId: 3,
  usage: usageOf(usage),
  estimated: false,
  finish: 'complete',
  stream: false,
  firstByteMs: 12.4,
  warnings: [],
  ...more,
})
const account = async ({ app }: BillingApp, call: Call) => {
  const row = await accountRows.find(app.db, call.caller.userId)
  return row && { balance: row.balance, held: row.held, used: row.used, requests: row.requests }
}
const setPrices = async (billing: BillingApp, ...rows: Parameters<BillingApp['price']>[0][]) => {
  for (const row of rows) await billing.price(row)
  await priceCache(billing.app).load()
}
const expectCleanAudit = async (billing: BillingApp) =>
  expect((await audit(billing.source)).results.flatMap(each => each.findings)).toEqual([])

const testCharge = (open: OpenBillingApp) => {
  it('a call is charged once, by its usage, with a receipt and a log row that agree', async () => {
    const billing = await open()
    await setPrices(billing, {
      model: 'm',
      input: '2.5',
      output: '7.5',
      extra_ratios: '{"cached_tokens":0.5}',
    })
    const call = await billing.call(100_000)
    const result = await withHold(billing.app, call, makeReservation(), async hold => {
      expect(hold.id).toBe(call.id)
      // 100 × 2.5 + 100 × 7.5 + PreConsumedQuota.
      expect(hold.amount()).toBe(1500)
      expect((await account(billing, call))?.held).toBe(1500)
      const result = makeResult(
        { input: 40, cacheRead: 8, output: 3 },
        { requestedModel: 'alias', warnings: ['seed'] },
      )
      expect(await hold.settle(result)).toEqual({ charged: 133, shortfall: 0 })
      expect(await hold.settle(makeResult({ input: 9999 }))).toEqual({ charged: 133, shortfall: 0 })
      return 'answer'
    })
    expect(result).toBe('answer')
    expect(await account(billing, call)).toEqual({
      balance: 99_867,
      held: 0,
      used: 133,
      requests: 1,
    })
    const log = await billing.app.db
      .selectFrom('logs')
      .selectAll()
      .where('id', '=', call.id)
      .executeTakeFirstOrThrow()
    expect(log).toMatchObject({
      quota: 133,
      prompt_tokens: 48,
      completion_tokens: 3,
      model_name: 'm',
      channel_id: 3,
    })
    expect(JSON.parse(log.metadata)).toEqual({
      group_name: 'default',
      price_type: 'tokens',
      group_ratio: 1,
      input_ratio: 2.5,
      output_ratio: 7.5,
      first_response: 12,
      cached_read_tokens: 8,
      cached_read_tokens_ratio: 0.5,
      finish: 'complete',
      estimated: false,
      requested_model: 'alias',
      notes: ['seed'],
      receipt: call.id,
    })
    const posted = await billing.app.db
      .selectFrom('transfers')
      .selectAll()
      .where('id', '=', call.id)
      .executeTakeFirstOrThrow()
    expect(JSON.parse(posted.usage)).toEqual({
      usage: { input: 40, cacheRead: 8, output: 3 },
      price: posted.price_id,
      ratio: '1',
      model: 'm',
      requested: 'alias',
      estimated: false,
      finish: 'complete',
    })
    await expectCleanAudit(billing)
  })
}

const testRefusals = (open: OpenBillingApp) => {
  it('work that throws or never settles costs nothing and leaves no hold', async () => {
    const billing = await open()
    await setPrices(billing, { model: 'm' })
    const call = await billing.call(1000)
    const failing = withHold(billing.app, call, makeReservation(), async () => {
      throw new RangeError('the provider is gone')
    })
    await expect(failing).rejects.toThrow('the provider is gone')
    await withHold(billing.app, billing.again(call), makeReservation(), async () => undefined)
    expect(await account(billing, call)).toEqual({ balance: 1000, held: 0, used: 0, requests: 0 })
    expect(liveHolds(billing.app).size).toBe(0)
    await expectCleanAudit(billing)
  })

  it('a settle after a release charges nothing', async () => {
    const billing = await open()
    await setPrices(billing, { model: 'm' })
    const call = await billing.call(1000)
    await withHold(billing.app, call, makeReservation(), async hold => {
      await hold.release()
      expect(await hold.settle(makeResult({ input: 10 }))).toEqual({ charged: 0, shortfall: 0 })
    })
    expect((await account(billing, call))?.balance).toBe(1000)
  })

  it('each refusal has its own code and leaves no hold', async () => {
    const billing = await open()
    await setPrices(billing, { model: 'm' })
    const code = async (call: Call, reservation = makeReservation()) => {
      const outcome = withHold(billing.app, billing.again(call), reservation, async hold => {
        await hold.settle(makeResult({ input: 1 }))
      })
      return outcome.then(
        () => 'served',
        error => error.code,
      )
    }
    const poor = await billing.call(699)
    expect(await code(poor)).toBe('quota.exhausted')
    const exact = await billing.call(700)
    expect(await code(exact)).toBe('served')
    const frozen = await billing.call(10_000)
    await accountRows.setFrozen(billing.app.db, frozen.caller.userId, 1)
    expect(await code(frozen)).toBe('account.frozen')
    expect(await code(await billing.call(10_000, { cap: 699 }))).toBe('token.exhausted')
    const now = billing.clock.seconds
    expect(await code(await billing.call(10_000, { expiresAt: now }))).toBe('token.expired')
    const disabled = await billing.call(10_000)
    await tokenSpend.update(billing.app.db, disabled.caller.tokenId, { status: 2 })
    expect(await code(disabled)).toBe('token.disabled')
    expect(await code(disabled, makeReservation({ models: ['nobody-setPrices-this'] }))).toBe(
      'price.unknown',
    )
    await expectCleanAudit(billing)
  })

  it('numbers out of bounds are refused before the hold', async () => {
    const billing = await open()
    await setPrices(billing, { model: 'm', input: '0.000001', output: '0.000001' })
    const call = await billing.call(1_000_000)
    for (const n of [2 ** 63, Number.NaN, -1, 1e308, 1.5, Number.POSITIVE_INFINITY])
      for (const stream of [true, false])
        for (const bad of [{ outputMax: n }, { promptTokens: n }, { n }]) {
          const refused = withHold(
            billing.app,
            billing.again(call),
            makeReservation({ ...bad, stream }),
            async () => 1,
          )
          await expect(refused).rejects.toMatchObject({ code: 'request.invalid', status: 400 })
        }
    expect((await account(billing, call))?.held).toBe(0)
  })
}

const testOpenHolds = (open: OpenBillingApp) => {
  it('a call that only other holds keep out may be repeated, and learns what they hold', async () => {
    const billing = await open()
    await setPrices(billing, { model: 'm' })
    const call = await billing.call(1000)
    await withHold(billing.app, call, makeReservation(), async () => {
      const second = withHold(billing.app, billing.again(call), makeReservation(), async () => 1)
      await expect(second).rejects.toMatchObject({
        code: 'quota.held',
        status: 429,
        retryAfterSeconds: 1,
        message: expect.stringContaining('700'),
      })
    })
    await expectCleanAudit(billing)
  })

  it('a prompt without a bound is held as assumed, or else served as the only one of its payer', async () => {
    const billing = await open()
    await setPrices(billing, { model: 'm' })
    const reservation = makeReservation({ assumedTokens: 5000 })
    const rich = await billing.call(20_000)
    await withHold(billing.app, rich, reservation, async hold => {
      expect(hold.amount()).toBe(5700)
      await withHold(billing.app, billing.again(rich), reservation, async second => {
        expect(second.amount()).toBe(5700)
      })
    })
    const poor = await billing.call(2000)
    await withHold(billing.app, poor, reservation, async hold => {
      expect(hold.amount()).toBe(700)
      const second = withHold(billing.app, billing.again(poor), reservation, async () => 1)
      await expect(second).rejects.toMatchObject({ code: 'quota.held' })
      await withHold(billing.app, billing.again(poor), makeReservation(), async () => undefined)
      expect(await hold.settle(makeResult({ input: 9000 }))).toEqual({
        charged: 2000,
        shortfall: 7000,
      })
    })
    const { values } = await billing.app.metrics.shortfalls.get()
    expect(values.find(each => each.labels.kind === 'unbounded')?.value).toBe(7000)
    await expectCleanAudit(billing)
  })
}

const testPrices = (open: OpenBillingApp) => {
  it('a times price is held and charged exactly, until the balance is 0', async () => {
    const billing = await open()
    await setPrices(billing, { model: 'm', type: 'times', input: '0.05' })
    const call = await billing.call(50 * 20)
    const calls = Array.from({ length: 100 }, () =>
      withHold(billing.app, billing.again(call), makeReservation(), hold =>
        hold.settle(makeResult({ input: 5, output: 5 })),
      ),
    )
    const outcomes = await Promise.allSettled(calls)
    expect(outcomes.filter(each => each.status === 'fulfilled')).toHaveLength(20)
    expect(await account(billing, call)).toEqual({ balance: 0, held: 0, used: 1000, requests: 20 })
    await expectCleanAudit(billing)
  })

  it('a free price needs no balance, but a disabled token is still refused', async () => {
    const billing = await open()
    await setPrices(billing, { model: 'm', input: '0', output: '0' })
    const call = await billing.call(0)
    await withHold(billing.app, call, makeReservation(), hold =>
      hold.settle(makeResult({ input: 5, output: 5 })),
    )
    expect(await account(billing, call)).toEqual({ balance: 0, held: 0, used: 0, requests: 1 })
    await tokenSpend.update(billing.app.db, call.caller.tokenId, { status: 2 })
    const again = withHold(billing.app, billing.again(call), makeReservation(), async () => 1)
    await expect(again).rejects.toMatchObject({ code: 'token.disabled' })
    await expectCleanAudit(billing)
  })

  it('the hold uses the most expensive model, and the charge the billed model', async () => {
    const billing = await open()
    await setPrices(billing, { model: 'm' }, { model: 'expensive', input: '10', output: '10' })
    const call = await billing.call(100_000)
    await withHold(
      billing.app,
      call,
      makeReservation({ models: ['m', 'expensive'] }),
      async hold => {
        expect(hold.amount()).toBe(2500)
        expect(await hold.settle(makeResult({ input: 7 }))).toEqual({ charged: 7, shortfall: 0 })
      },
    )
    await expectCleanAudit(billing)
  })

  it('each call is charged at the price of its admission', async () => {
    const billing = await open()
    await setPrices(billing, { model: 'm' })
    const call = await billing.call(100_000)
    await withHold(billing.app, call, makeReservation(), async hold => {
      await setPrices(billing, { model: 'm', input: '1000', output: '1000' })
      expect(priceCache(billing.app).find('m', 'default')?.terms.input).toBe('1000')
      expect((await hold.settle(makeResult({ input: 7 }))).charged).toBe(7)
    })
    await expectCleanAudit(billing)
  })
}

const testUnusualCharges = (open: OpenBillingApp) => {
  it('a charge beyond the balance takes the whole balance, and the rest is a shortfall', async () => {
    const billing = await open()
    await setPrices(billing, { model: 'm' })
    const call = await billing.call(800)
    const settled = await withHold(billing.app, call, makeReservation(), hold =>
      hold.settle(makeResult({ output: 5000 })),
    )
    expect(settled).toEqual({ charged: 800, shortfall: 4200 })
    expect(await account(billing, call)).toEqual({ balance: 0, held: 0, used: 800, requests: 1 })
    const { values } = await billing.app.metrics.shortfalls.get()
    expect(values.find(each => each.labels.kind === 'other')?.value).toBe(4200)
    const alarms = (await billing.app.metrics.alarms.get()).values
    expect(alarms.find(each => each.labels.kind === 'shortfall')?.value).toBe(1)
    await expectCleanAudit(billing)
  })

  it('an invalid usage is replaced by the delivered usage and raises an alarm', async () => {
    const billing = await open()
    await setPrices(billing, { model: 'm' })
    const call = await billing.call(100_000)
    const settled = await withHold(billing.app, call, makeReservation(), hold => {
      void hold.progress('m', usageOf({ input: 100, output: 20 }))
      return hold.settle(
        makeResult({ input: -5, output: 2 ** 63, reasoning: Number.NaN, cacheRead: 4 }),
      )
    })
    expect(settled).toEqual({ charged: 124, shortfall: 0 })
    const { values } = await billing.app.metrics.alarms.get()
    expect(values.find(each => each.labels.kind === 'usage')?.value).toBe(3)
    await expectCleanAudit(billing)
  })

  it('the setting disables log rows and does not change the charge', async () => {
    const billing = await open()
    await setPrices(billing, { model: 'm' })
    billing.change(settings => {
      settings.logs.LogConsumeEnabled = false
    })
    const call = await billing.call(1000)
    await withHold(billing.app, call, makeReservation(), hold =>
      hold.settle(makeResult({ input: 10 })),
    )
    const rows = billing.app.db.selectFrom('logs').select('id').where('id', '=', call.id)
    expect(await rows.execute()).toEqual([])
    expect((await account(billing, call))?.balance).toBe(990)
  })
}

const testIdempotency = (open: OpenBillingApp) => {
  it('an Idempotency-Key is charged once, and a repetition gets the receipt or state of the first call', async () => {
    const billing = await open()
    await setPrices(billing, { model: 'm' })
    const call = await billing.call(100_000)
    const once = (bodyHash: string, work: (hold: OpenHold) => Promise<unknown>) =>
      withHold(
        billing.app,
        billing.again(call),
        makeReservation({ idempotency: { keyHash: 'k', bodyHash } }),
        work,
      )
    await once('b', async hold => {
      await expect(once('b', async () => 1)).rejects.toMatchObject({ code: 'request.in_progress' })
      await expect(once('c', async () => 1)).rejects.toMatchObject({ code: 'request.key_reused' })
      await hold.settle(makeResult({ input: 10 }))
    })
    await expect(once('b', async () => 1)).rejects.toMatchObject({
      code: 'request.already_charged',
      message: expect.stringContaining('Receipt: '),
    })
    expect((await account(billing, call))?.requests).toBe(1)
    await expectCleanAudit(billing)
  })
}

const testTexts = (open: OpenBillingApp) => {
  it('SEC-6 a charge whose texts the database refuses is written without them', async () => {
    const billing = await open()
    await setPrices(billing, { model: 'm' })
    const call = await billing.call(10_000)
    const unstorable = 'm\0'
    const settled = await withHold(billing.app, call, makeReservation(), hold =>
      hold.settle(makeResult({ input: 100 }, { model: unstorable, requestedModel: unstorable })),
    )
    expect(settled.charged).toBe(100)
    expect(await account(billing, call)).toMatchObject({ balance: 9_900, held: 0, requests: 1 })
    expect(liveHolds(billing.app).has(call.id)).toBe(false)
    await expectCleanAudit(billing)
  })
}

const testStop = (open: OpenBillingApp) => {
  it('REL-3 a stop releases the hold of an answer that was withheld', async () => {
    const billing = await open()
    await setPrices(billing, { model: 'm' })
    const call = await billing.call(10_000)
    await new Promise<void>(resolve => {
      void withHold(billing.app, call, makeReservation(), () => {
        resolve()
        return new Promise(() => {})
      })
    })
    liveHolds(billing.app).set(call.id, { unsettled: { kind: 'void', id: call.id } })
    await (await startBilling(billing.app)).stop()
    expect(await account(billing, call)).toMatchObject({ balance: 10_000, held: 0, requests: 0 })
  })
}

const testStreams = (open: OpenBillingApp) => {
  it('a stream extends its hold at half and is cut at the end of the balance', async () => {
    const billing = await open()
    billing.change(settings => {
      settings.money.PreConsumedQuota = 0
    })
    await setPrices(billing, { model: 'm' })
    const call = await billing.call(10_000)
    const settled = await withHold(
      billing.app,
      call,
      makeReservation({ stream: true, outputMax: undefined }),
      async hold => {
        expect(hold.amount()).toBe(4196)
        const usage = usageOf({ input: 100 })
        for (;;) {
          const progress = hold.progress('m', usage)
          if (progress === 'cut') break
          if (progress === 'go') usage.output += 100
          await (progress instanceof Promise ? progress : sleep(5))
        }
        expect(hold.amount()).toBe(10_000)
        return hold.settle(makeResult({ ...usage }, { finish: 'cut', stream: true }))
      },
    )
    expect(settled.charged).toBe(10_000)
    await expectCleanAudit(billing)
  })

  it('the sweep closes a lost call at its last checkpoint and keeps a live call', async () => {
    const billing = await open()
    await setPrices(billing, { model: 'm', output: '100' })
    const call = await billing.call(100_000)
    const other = billing.again(call)
    await withHold(billing.app, other, makeReservation(), async () => {
      const leak = withHold(billing.app, call, makeReservation({ stream: true }), async hold => {
        const delivered = usageOf({ input: 100, output: 600 })
        await hold.progress('m', delivered)
        expect(hold.progress('m', delivered)).toBe('go')
        await new Promise(() => {})
      })
      void leak
      await expect
        .poll(
          async () =>
            (
              await billing.app.db
                .selectFrom('holds')
                .select('accrued')
                .where('id', '=', call.id)
                .executeTakeFirst()
            )?.accrued,
        )
        .toBe(60_100)
      liveHolds(billing.app).delete(call.id)
      await sweep(billing.app)
      expect((await account(billing, call))?.requests).toBe(0)
      billing.clock.seconds += 120
      await sweep(billing.app)
      await sweep(billing.app)
      const open = await billing.app.db.selectFrom('holds').select('id').execute()
      expect(open).toEqual([{ id: other.id }])
    })
    expect((await account(billing, call))?.requests).toBe(1)
    await expectCleanAudit(billing)
  })
}

onEachEngine(open => {
  testCharge(open)
  testTexts(open)
  testStop(open)
  testRefusals(open)
  testOpenHolds(open)
  testPrices(open)
  testUnusualCharges(open)
  testIdempotency(open)
  testStreams(open)
})
