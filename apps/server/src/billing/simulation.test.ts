import fc from 'fast-check'
import { expect, it } from 'vitest'
import { onEachEngine } from '../../test/billing-app.ts'
import type { App } from '../core/app.ts'
import type { Call } from '../core/call.ts'
import type { LedgerWriter } from '../db/index.ts'
import type { LedgerOperation, Outcome } from '../db/operations.ts'
import { liveHolds } from './calls/holds/live-holds.ts'
import type { CallResult } from './open-hold.ts'
import { priceCache } from './price-cache.ts'
import { usageOf } from './usage.ts'
import { withHold } from './with-hold.ts'

type Account = { balance: number; held: number }

/** A ledger without a database: one account, and answers in an order that the test chooses. */
const modelLedger = (account: Account, turn: () => Promise<void>) => {
  const holds = new Map<number, number>()
  const posted = new Map<number, { charged: number; shortfall: number }>()
  let n = 0
  const free = () => account.balance - account.held

  const apply = (operation: LedgerOperation): Outcome => {
    const { kind, id } = operation
    const hold = holds.get(id)
    if (kind === 'hold') {
      if (free() < operation.amount) return { ok: false, why: 'balance' }
      holds.set(id, operation.amount)
      account.held += operation.amount
      return { ok: true }
    }
    if (kind === 'checkpoint') {
      if (hold === undefined) return { ok: false, why: 'gone' }
      const granted = Math.max(0, Math.min(operation.want, free()))
      holds.set(id, hold + granted)
      account.held += granted
      return { ok: true, granted }
    }
    holds.delete(id)
    account.held -= hold ?? 0
    if (kind !== 'settle') return { ok: true }
    const settled = posted.get(id)
    if (settled) return { ok: true, ...settled, late: false }
    const charged = Math.min(operation.charge, free())
    account.balance -= charged
    posted.set(id, { charged, shortfall: operation.charge - charged })
    return { ok: true, charged, shortfall: operation.charge - charged, late: false }
  }

  const ledger: LedgerWriter = {
    epoch: 1,
    nextId: () => ++n,
    lag: () => 0,
    submit: (async (operation: LedgerOperation) => {
      await turn()
      const outcome = apply(operation)
      expect(account.held, 'held is the sum of holds').toBe(
        [...holds.values()].reduce((a, b) => a + b, 0),
      )
      expect(account.balance - account.held, 'nothing below zero').toBeGreaterThanOrEqual(0)
      await turn()
      return outcome
    }) as LedgerWriter['submit'],
  }
  return { ledger, posted }
}

const callScenario = fc.record({
  model: fc.constantFrom('cheap', 'expensive', 'once'),
  isStream: fc.boolean(),
  outputMax: fc.option(fc.integer({ min: 0, max: 9000 }), { nil: undefined }),
  steps: fc.array(fc.integer({ min: 0, max: 3000 }), { maxLength: 12 }),
  end: fc.constantFrom('settle', 'settle-twice', 'release', 'throw', 'release-settle'),
})

onEachEngine(open => {
  it('concurrent calls are each charged once and exactly, and the balance stays above zero', async () => {
    const billing = await open()
    await billing.price({ model: 'cheap', input: '0.15', output: '0.6' })
    await billing.price({ model: 'expensive', input: '15', output: '75' })
    await billing.price({ model: 'once', type: 'times', input: '0.7' })
    const app: App = { ...billing.app }
    await priceCache(app).load()
    const find = (model: string) => priceCache(app).find(model, 'default')!
    const caller = { userId: 1, tokenId: 1, username: 'u', tokenName: 't', group: 'default' }

    const property = fc.asyncProperty(
      fc.integer({ min: 0, max: 2_000_000 }),
      fc.array(callScenario, { minLength: 1, maxLength: 12 }),
      fc.scheduler(),
      async (balance, scenarios, scheduler) => {
        const account = { balance, held: 0 }
        const { ledger, posted } = modelLedger(account, () => scheduler.schedule(Promise.resolve()))
        app.ledger = ledger

        const run = async ({
          model,
          isStream,
          outputMax,
          steps,
          end,
        }: (typeof scenarios)[number]) => {
          const call = { id: ledger.nextId(), caller, ip: '', startedAt: 0 } as unknown as Call
          const reservation = {
            models: [model],
            promptTokens: 50,
            outputMax,
            n: 1,
            stream: isStream,
          }
          const used = usageOf({ input: 50 })
          await withHold(app, call, reservation, async hold => {
            for (const step of steps) {
              used.output += step
              let progress = hold.progress(model, used)
              while (progress instanceof Promise) {
                await progress
                progress = hold.progress(model, used)
              }
              if (progress === 'cut') break
              await scheduler.schedule(Promise.resolve())
            }
            if (end === 'throw') throw new RangeError('gone')
            if (end.startsWith('release')) await hold.release()
            const result: CallResult = {
              ...{ model, requestedModel: model, channelId: 1, usage: used, estimated: false },
              ...{ finish: 'complete', stream: isStream, firstByteMs: 1, warnings: [] },
            }
            if (end === 'release') return
            const settled = await hold.settle(result)
            const cost = find(model).cost(used)
            expect(settled.charged + settled.shortfall).toBe(end === 'release-settle' ? 0 : cost)
            if (end === 'settle-twice') expect(await hold.settle(result)).toEqual(settled)
          }).catch(error => {
            expect(['quota.exhausted', 'quota.held', undefined]).toContain(error.code)
            if (error.code === undefined) expect(error.message).toBe('gone')
          })
        }
        const all = Promise.all(scenarios.map(run))
        await scheduler.waitFor(all)
        await scheduler.waitIdle()

        const charged = [...posted.values()].reduce((sum, each) => sum + each.charged, 0)
        expect(account).toEqual({ balance: balance - charged, held: 0 })
        expect(liveHolds(app).size).toBe(0)
      },
    )
    await fc.assert(property, { numRuns: 500 })
  })
})
