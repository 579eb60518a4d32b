import fc from 'fast-check'
import { expect, it } from 'vitest'
import { onEachEngine } from '../../test/money-app.ts'
import type { App } from '../core/app.ts'
import type { Call } from '../core/call.ts'
import type { LedgerWriter } from '../db/index.ts'
import type { Operation, Outcome } from '../db/operations.ts'
import { priceBook } from './book.ts'
import { liveHolds } from './calls/live.ts'
import type { Ending } from './held.ts'
import { holding } from './hold.ts'
import { usageOf } from './usage.ts'

type Account = { balance: number; held: number }

/** What a ledger promises, without a database: one account, answers in an order that the test chooses. */
const modelLedger = (account: Account, turn: () => Promise<void>) => {
  const holds = new Map<number, number>()
  const posted = new Map<number, { charged: number; shortfall: number }>()
  let n = 0
  const free = () => account.balance - account.held

  const act = (operation: Operation): Outcome => {
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
    const known = posted.get(id)
    if (known) return { ok: true, ...known, late: false }
    const charged = Math.min(operation.charge, free())
    account.balance -= charged
    posted.set(id, { charged, shortfall: operation.charge - charged })
    return { ok: true, charged, shortfall: operation.charge - charged, late: false }
  }

  const ledger: LedgerWriter = {
    epoch: 1,
    nextId: () => ++n,
    lag: () => 0,
    submit: (async (operation: Operation) => {
      await turn()
      const outcome = act(operation)
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

const story = fc.record({
  model: fc.constantFrom('cheap', 'dear', 'once'),
  isStream: fc.boolean(),
  outputMax: fc.option(fc.integer({ min: 0, max: 9000 }), { nil: undefined }),
  steps: fc.array(fc.integer({ min: 0, max: 3000 }), { maxLength: 12 }),
  end: fc.constantFrom('settle', 'settle-twice', 'release', 'throw', 'release-settle'),
})

onEachEngine(open => {
  it('calls that run into each other are charged once each, exactly, and never below zero', async () => {
    const money = await open()
    await money.price({ model: 'cheap', input: '0.15', output: '0.6' })
    await money.price({ model: 'dear', input: '15', output: '75' })
    await money.price({ model: 'once', type: 'times', input: '0.7' })
    const app: App = { ...money.app }
    await priceBook(app).load()
    const find = (model: string) => priceBook(app).find(model, 'default')!
    const caller = { userId: 1, tokenId: 1, username: 'u', tokenName: 't', group: 'default' }

    const scenario = fc.asyncProperty(
      fc.integer({ min: 0, max: 2_000_000 }),
      fc.array(story, { minLength: 1, maxLength: 12 }),
      fc.scheduler(),
      async (balance, stories, scheduler) => {
        const account = { balance, held: 0 }
        const { ledger, posted } = modelLedger(account, () => scheduler.schedule(Promise.resolve()))
        app.ledger = ledger

        const run = async ({
          model,
          isStream,
          outputMax,
          steps,
          end,
        }: (typeof stories)[number]) => {
          const call = { id: ledger.nextId(), caller, ip: '', startedAt: 0 } as unknown as Call
          const asked = { models: [model], promptTokens: 50, outputMax, n: 1, stream: isStream }
          const used = usageOf({ input: 50 })
          await holding(app, call, asked, async held => {
            for (const step of steps) {
              used.output += step
              if (held.progress(model, used) === 'cut') break
              await scheduler.schedule(Promise.resolve())
            }
            if (end === 'throw') throw new RangeError('gone')
            if (end.startsWith('release')) await held.release()
            const ending: Ending = {
              ...{ model, requestedModel: model, channelId: 1, usage: used, estimated: false },
              ...{ finish: 'complete', stream: isStream, firstByteMs: 1, notes: [] },
            }
            if (end === 'release') return
            const settled = await held.settle(ending)
            const cost = find(model).cost(used)
            expect(settled.charged + settled.shortfall).toBe(end === 'release-settle' ? 0 : cost)
            if (end === 'settle-twice') expect(await held.settle(ending)).toEqual(settled)
          }).catch(error => {
            expect(['quota.exhausted', undefined]).toContain(error.code)
            if (error.code === undefined) expect(error.message).toBe('gone')
          })
        }
        const all = Promise.all(stories.map(run))
        await scheduler.waitFor(all)
        await scheduler.waitIdle()

        const charged = [...posted.values()].reduce((sum, each) => sum + each.charged, 0)
        expect(account).toEqual({ balance: balance - charged, held: 0 })
        expect(liveHolds(app).size).toBe(0)
      },
    )
    await fc.assert(scenario, { numRuns: 500 })
  })
})
