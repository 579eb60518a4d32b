import { setTimeout as sleep } from 'node:timers/promises'
import type { Usage } from '@hub/dialects'
import { expect, it } from 'vitest'
import { type MoneyApp, onEachEngine } from '../../test/money-app.ts'
import { audit } from '../auditor/audit.ts'
import type { Call } from '../core/call.ts'
import * as accountRows from '../db/queries/accounts.ts'
import * as tokenSpend from '../db/queries/token-spend.ts'
import { priceBook } from './book.ts'
import { liveHolds } from './calls/live.ts'
import type { Ending, Held, Reservation } from './held.ts'
import { holding } from './hold.ts'
import { sweep } from './sweep.ts'
import { usageOf } from './usage.ts'

const asked = (more: Partial<Reservation> = {}): Reservation => ({
  models: ['m'],
  promptTokens: 100,
  outputMax: 100,
  n: 1,
  stream: false,
  ...more,
})
const ended = (usage: Partial<Usage>, more: Partial<Ending> = {}): Ending => ({
  model: 'm',
  requestedModel: 'm',
  channelId: 3,
  usage: usageOf(usage),
  estimated: false,
  finish: 'complete',
  stream: false,
  firstByteMs: 12.4,
  notes: [],
  ...more,
})
const account = async ({ app }: MoneyApp, call: Call) => {
  const row = await accountRows.find(app.db, call.caller.userId)
  return row && { balance: row.balance, held: row.held, used: row.used, requests: row.requests }
}
const priced = async (money: MoneyApp, ...rows: Parameters<MoneyApp['price']>[0][]) => {
  for (const row of rows) await money.price(row)
  await priceBook(money.app).load()
}
const clean = async (money: MoneyApp) =>
  expect((await audit(money.source)).verdicts.flatMap(each => each.findings)).toEqual([])

onEachEngine(open => {
  it('a call is charged once, by its usage, with a receipt and a log row that agree', async () => {
    const money = await open()
    await priced(money, {
      model: 'm',
      input: '2.5',
      output: '7.5',
      extra_ratios: '{"cached_tokens":0.5}',
    })
    const call = await money.call(100_000)
    const result = await holding(money.app, call, asked(), async held => {
      expect(held.id).toBe(call.id)
      // 100 × 2.5 + 100 × 7.5 + PreConsumedQuota.
      expect(held.amount()).toBe(1500)
      expect((await account(money, call))?.held).toBe(1500)
      const ending = ended(
        { input: 40, cacheRead: 8, output: 3 },
        { requestedModel: 'alias', notes: ['seed'] },
      )
      expect(await held.settle(ending)).toEqual({ charged: 133, shortfall: 0 })
      expect(await held.settle(ended({ input: 9999 }))).toEqual({ charged: 133, shortfall: 0 })
      return 'answer'
    })
    expect(result).toBe('answer')
    expect(await account(money, call)).toEqual({ balance: 99_867, held: 0, used: 133, requests: 1 })
    const log = await money.app.db
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
    const posted = await money.app.db
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
    await clean(money)
  })

  it('work that throws, or never settles, costs nothing and leaves nothing held', async () => {
    const money = await open()
    await priced(money, { model: 'm' })
    const call = await money.call(1000)
    const failing = holding(money.app, call, asked(), async () => {
      throw new RangeError('the provider is gone')
    })
    await expect(failing).rejects.toThrow('the provider is gone')
    await holding(money.app, money.again(call), asked(), async () => undefined)
    expect(await account(money, call)).toEqual({ balance: 1000, held: 0, used: 0, requests: 0 })
    expect(liveHolds(money.app).size).toBe(0)
    await clean(money)
  })

  it('what comes after a release is not charged', async () => {
    const money = await open()
    await priced(money, { model: 'm' })
    const call = await money.call(1000)
    await holding(money.app, call, asked(), async held => {
      await held.release()
      expect(await held.settle(ended({ input: 10 }))).toEqual({ charged: 0, shortfall: 0 })
    })
    expect((await account(money, call))?.balance).toBe(1000)
  })

  it('each refusal has its own code, and nothing stays held', async () => {
    const money = await open()
    await priced(money, { model: 'm' })
    const code = async (call: Call, reservation = asked()) => {
      const outcome = holding(money.app, money.again(call), reservation, async held => {
        await held.settle(ended({ input: 1 }))
      })
      return outcome.then(
        () => 'served',
        error => error.code,
      )
    }
    const poor = await money.call(699)
    expect(await code(poor)).toBe('quota.exhausted')
    const exact = await money.call(700)
    expect(await code(exact)).toBe('served')
    const frozen = await money.call(10_000)
    await accountRows.setFrozen(money.app.db, frozen.caller.userId, 1)
    expect(await code(frozen)).toBe('account.frozen')
    expect(await code(await money.call(10_000, { cap: 699 }))).toBe('token.exhausted')
    const now = money.clock.seconds
    expect(await code(await money.call(10_000, { expiresAt: now }))).toBe('token.expired')
    const disabled = await money.call(10_000)
    await tokenSpend.update(money.app.db, disabled.caller.tokenId, { status: 2 })
    expect(await code(disabled)).toBe('token.disabled')
    expect(await code(disabled, asked({ models: ['nobody-priced-this'] }))).toBe('price.unknown')
    await clean(money)
  })

  it('numbers out of bounds are refused before anything is held', async () => {
    const money = await open()
    await priced(money, { model: 'm', input: '0.000001', output: '0.000001' })
    const call = await money.call(1_000_000)
    for (const n of [2 ** 63, Number.NaN, -1, 1e308, 1.5, Number.POSITIVE_INFINITY])
      for (const stream of [true, false])
        for (const bad of [{ outputMax: n }, { promptTokens: n }, { n }]) {
          const refused = holding(
            money.app,
            money.again(call),
            asked({ ...bad, stream }),
            async () => 1,
          )
          await expect(refused).rejects.toMatchObject({ code: 'request.invalid', status: 400 })
        }
    expect((await account(money, call))?.held).toBe(0)
  })

  it('a times price is held and charged exactly: k calls are served, and the balance is 0', async () => {
    const money = await open()
    await priced(money, { model: 'm', type: 'times', input: '0.05' })
    const call = await money.call(50 * 20)
    const calls = Array.from({ length: 100 }, () =>
      holding(money.app, money.again(call), asked(), held =>
        held.settle(ended({ input: 5, output: 5 })),
      ),
    )
    const outcomes = await Promise.allSettled(calls)
    expect(outcomes.filter(each => each.status === 'fulfilled')).toHaveLength(20)
    expect(await account(money, call)).toEqual({ balance: 0, held: 0, used: 1000, requests: 20 })
    await clean(money)
  })

  it('a price of nothing needs no balance, but is still refused to a token that is disabled', async () => {
    const money = await open()
    await priced(money, { model: 'm', input: '0', output: '0' })
    const call = await money.call(0)
    await holding(money.app, call, asked(), held => held.settle(ended({ input: 5, output: 5 })))
    expect(await account(money, call)).toEqual({ balance: 0, held: 0, used: 0, requests: 1 })
    await tokenSpend.update(money.app.db, call.caller.tokenId, { status: 2 })
    const again = holding(money.app, money.again(call), asked(), async () => 1)
    await expect(again).rejects.toMatchObject({ code: 'token.disabled' })
    await clean(money)
  })

  it('the hold takes the dearest name, and the charge the one that was billed', async () => {
    const money = await open()
    await priced(money, { model: 'm' }, { model: 'dear', input: '10', output: '10' })
    const call = await money.call(100_000)
    await holding(money.app, call, asked({ models: ['m', 'dear'] }), async held => {
      expect(held.amount()).toBe(2500)
      expect(await held.settle(ended({ input: 7 }))).toEqual({ charged: 7, shortfall: 0 })
    })
    await clean(money)
  })

  it('each call is charged at the price of its admission', async () => {
    const money = await open()
    await priced(money, { model: 'm' })
    const call = await money.call(100_000)
    await holding(money.app, call, asked(), async held => {
      await priced(money, { model: 'm', input: '1000', output: '1000' })
      expect(priceBook(money.app).find('m', 'default')?.terms.input).toBe('1000')
      expect((await held.settle(ended({ input: 7 }))).charged).toBe(7)
    })
    await clean(money)
  })

  it('a finished answer that cost more takes what the balance covers, and the rest is a shortfall', async () => {
    const money = await open()
    await priced(money, { model: 'm' })
    const call = await money.call(800)
    const settled = await holding(money.app, call, asked(), held =>
      held.settle(ended({ output: 5000 })),
    )
    expect(settled).toEqual({ charged: 800, shortfall: 4200 })
    expect(await account(money, call)).toEqual({ balance: 0, held: 0, used: 800, requests: 1 })
    expect((await money.app.metrics.shortfalls.get()).values[0]?.value).toBe(4200)
    await clean(money)
  })

  it('a usage that cannot be believed is replaced by what was delivered, and raises an alarm', async () => {
    const money = await open()
    await priced(money, { model: 'm' })
    const call = await money.call(100_000)
    const settled = await holding(money.app, call, asked(), held => {
      held.progress('m', usageOf({ input: 100, output: 20 }))
      return held.settle(ended({ input: -5, output: 2 ** 63, reasoning: Number.NaN, cacheRead: 4 }))
    })
    expect(settled).toEqual({ charged: 124, shortfall: 0 })
    expect((await money.app.metrics.alarms.get()).values[0]?.value).toBe(3)
    await clean(money)
  })

  it('no log row is written where the setting says so, and the charge is the same', async () => {
    const money = await open()
    await priced(money, { model: 'm' })
    money.change(settings => {
      settings.logs.LogConsumeEnabled = false
    })
    const call = await money.call(1000)
    await holding(money.app, call, asked(), held => held.settle(ended({ input: 10 })))
    const rows = money.app.db.selectFrom('logs').select('id').where('id', '=', call.id)
    expect(await rows.execute()).toEqual([])
    expect((await account(money, call))?.balance).toBe(990)
  })

  it('an Idempotency-Key is charged once; the second is told what became of the first', async () => {
    const money = await open()
    await priced(money, { model: 'm' })
    const call = await money.call(100_000)
    const once = (bodyHash: string, work: (held: Held) => Promise<unknown>) =>
      holding(
        money.app,
        money.again(call),
        asked({ idempotency: { keyHash: 'k', bodyHash } }),
        work,
      )
    await once('b', async held => {
      await expect(once('b', async () => 1)).rejects.toMatchObject({ code: 'request.in-progress' })
      await expect(once('c', async () => 1)).rejects.toMatchObject({ code: 'request.key-reused' })
      await held.settle(ended({ input: 10 }))
    })
    await expect(once('b', async () => 1)).rejects.toMatchObject({
      code: 'request.already-charged',
      message: expect.stringContaining('Receipt: '),
    })
    expect((await account(money, call))?.requests).toBe(1)
    await clean(money)
  })

  it('a stream extends its hold at half, and is cut where the balance ends', async () => {
    const money = await open()
    money.change(settings => {
      settings.money.PreConsumedQuota = 0
    })
    await priced(money, { model: 'm' })
    const call = await money.call(10_000)
    const settled = await holding(
      money.app,
      call,
      asked({ stream: true, outputMax: undefined }),
      async held => {
        expect(held.amount()).toBe(4196)
        const usage = usageOf({ input: 100 })
        let verdict = 'go'
        while (verdict === 'go') {
          usage.output += 100
          verdict = held.progress('m', usage)
          await sleep(5)
        }
        expect(held.amount()).toBe(10_000)
        return held.settle(ended({ ...usage }, { finish: 'cut', stream: true }))
      },
    )
    expect(settled.charged).toBe(10_000)
    await clean(money)
  })

  it('a call that was lost is closed at its last checkpoint by the sweep, and a live one is left alone', async () => {
    const money = await open()
    await priced(money, { model: 'm', output: '100' })
    const call = await money.call(100_000)
    const other = money.again(call)
    await holding(money.app, other, asked(), async () => {
      const leak = holding(money.app, call, asked({ stream: true }), async held => {
        held.progress('m', usageOf({ input: 100, output: 600 }))
        await new Promise(() => {})
      })
      void leak
      await expect
        .poll(
          async () =>
            (
              await money.app.db
                .selectFrom('holds')
                .select('accrued')
                .where('id', '=', call.id)
                .executeTakeFirst()
            )?.accrued,
        )
        .toBe(60_100)
      liveHolds(money.app).delete(call.id)
      await sweep(money.app)
      expect((await account(money, call))?.requests).toBe(0)
      money.clock.seconds += 120
      await sweep(money.app)
      await sweep(money.app)
      const open = await money.app.db.selectFrom('holds').select('id').execute()
      expect(open).toEqual([{ id: other.id }])
    })
    expect((await account(money, call))?.requests).toBe(1)
    await clean(money)
  })
})
