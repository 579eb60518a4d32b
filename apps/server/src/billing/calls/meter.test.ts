import { outputTokens } from '@hub/dialects/usage'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { prepareCost } from '../price.ts'
import type { EffectivePrice } from '../price-cache.ts'
import { termsOf } from '../prices/terms.ts'
import { usageOf } from '../usage.ts'
import { type Checkpoint, checkpointTokens, extensionMaxMs, openMeter, retryMs } from './meter.ts'

const priced = (type: 'tokens' | 'times' = 'tokens', output = '1'): EffectivePrice => {
  const row = { model: 'm', type, channel_type: 0, input: '1', output, extra_ratios: null }
  const terms = termsOf(row, '1', {})
  return { priceId: 1, model: 'm', type, group: 'default', terms, ...prepareCost(terms) }
}
const one = priced()

/** A meter with a manual clock, whose checkpoints the test resolves. */
const opened = (amount: number, hidden = 0) => {
  const saved: Checkpoint[] = []
  const waiting: { answer(granted: number | undefined): void; fail(): void }[] = []
  const clock = { ms: 0 }
  const meter = openMeter({
    amount,
    hidden,
    now: () => clock.ms,
    delay: async ms => {
      clock.ms += ms
    },
    save: checkpoint => {
      saved.push({ ...checkpoint, delivered: { ...checkpoint.delivered } })
      return new Promise((answer, reject) => {
        waiting.push({ answer, fail: () => reject(new RangeError('away')) })
      })
    },
  })
  const settled = async (work: () => void) => {
    work()
    await new Promise(setImmediate)
  }
  const next = () => waiting.shift() ?? expect.unreachable('no checkpoint is under way')
  return {
    meter,
    saved,
    clock,
    to: (output: number, input = 0) => meter.progress(one, usageOf({ input, output })),
    answer: (granted: number | undefined) => settled(() => next().answer(granted)),
    fail: () => settled(() => next().fail()),
  }
}

it('a checkpoint is saved every 512 output tokens, and every two seconds if the usage changed', async () => {
  const { to, saved, clock, answer } = opened(1_000_000)
  for (let n = 1; n < checkpointTokens; n += 1) expect(to(n)).toBe('go')
  expect(saved).toHaveLength(0)
  void to(checkpointTokens)
  expect(saved).toMatchObject([{ accrued: 512, want: 0 }])
  await answer(0)
  clock.ms += 1999
  void to(513)
  expect(saved).toHaveLength(1)
  clock.ms += 1
  void to(513)
  expect(saved).toHaveLength(1)
  void to(514)
  expect(saved[1]).toMatchObject({ accrued: 514, delivered: { output: 514 } })
})

it('an expensive prompt is saved at the first byte, a cheap one waits', () => {
  const expensive = opened(1_000_000)
  void expensive.to(1, 511)
  expect(expensive.saved).toHaveLength(1)
  const cheap = opened(1_000_000)
  void cheap.to(1, 510)
  expect(cheap.saved).toHaveLength(0)
})

it('only one checkpoint is saved at a time', () => {
  const { to, saved } = opened(1_000_000)
  for (let n = 1; n < 5000; n += 1) void to(n)
  expect(saved).toHaveLength(1)
})

it('an extension is requested at half, and granted points raise the amount', async () => {
  const { meter, to, saved, answer } = opened(1000)
  void to(499)
  expect(saved).toHaveLength(0)
  void to(500)
  expect(saved).toMatchObject([{ want: 1000 }])
  await answer(1000)
  expect(meter.amount()).toBe(2000)
  expect(to(999)).toBe('go')
  expect(saved).toHaveLength(1)
})

it('after a refused extension a stream continues to the end of its hold, and is cut if the ledger refuses again', async () => {
  const { to, saved, answer } = opened(1000)
  void to(500)
  await answer(100)
  expect(to(1100)).toBe('go')
  await answer(0)
  const extension = to(1101)
  expect(extension).toBeInstanceOf(Promise)
  expect(saved.at(-1)).toMatchObject({ accrued: 1100, want: 1102 })
  await answer(0)
  await extension
  expect(to(1101)).toBe('cut')
  expect(to(1101)).toBe('cut')
})

it('REL-5 output beyond the hold does not count as delivered before an extension covers it', async () => {
  const { meter, to, saved, answer } = opened(1000)
  const extension = to(2_500_000)
  expect(extension).toBeInstanceOf(Promise)
  expect(saved.at(-1)).toMatchObject({ accrued: 0, want: 4_999_000 })
  await answer(9_000)
  await extension
  expect(to(2_500_000)).toBe('cut')
  expect(outputTokens(meter.delivered())).toBe(0)
})

it('hidden output of a stream leaves less of the hold for the visible output', async () => {
  const { meter, saved, answer } = opened(1000, 600)
  const shown = (output: number) => meter.progress(one, usageOf({ output }))
  expect(shown(400)).toBe('go')
  expect(saved.at(-1)).toMatchObject({ accrued: 400, want: 1000 })
  await answer(0)
  const extension = shown(401)
  await answer(0)
  await extension
  expect(shown(401)).toBe('cut')
})

it('points that were released since the last refusal extend a stream at the end of its hold', async () => {
  const { to, answer } = opened(1000)
  void to(500)
  await answer(0)
  const extension = to(1001)
  await answer(50)
  await extension
  expect(to(1001)).toBe('go')
})

it('a refused extension is requested again, so a top-up keeps a running stream alive', async () => {
  const { meter, to, saved, clock, answer } = opened(1000)
  void to(500)
  await answer(0)
  clock.ms += 2000
  expect(to(600)).toBe('go')
  expect(saved[1]).toMatchObject({ want: 1000 })
  await answer(1000)
  expect(meter.amount()).toBe(2000)
  expect(to(1100)).toBe('go')
})

it('REL-2 a stream that used up its hold waits for the ledger, however long its answer takes', async () => {
  const { meter, to, clock, answer, saved } = opened(1000)
  void to(500)
  const extension = to(50_000)
  expect(extension).toBeInstanceOf(Promise)
  clock.ms += 60_000
  expect(to(50_000)).toBe(extension)
  await answer(1000)
  await extension
  // The pending extension was for less; the stream asks for the rest before it continues.
  const rest = to(50_000)
  expect(saved.at(-1)).toMatchObject({ accrued: 500, want: 3 * 98_000 })
  await answer(3 * 98_000)
  await rest
  expect(to(50_000)).toBe('go')
  expect(meter.amount()).toBe(2000 + 3 * 98_000)
})

it('REL-2 an extension that fails is tried again, and never taken for a short balance', async () => {
  const { to, saved, fail, answer } = opened(1000)
  void to(500)
  await fail()
  expect(to(999)).toBe('go')
  const extension = to(1001)
  for (let tries = 0; tries < 5; tries += 1) await fail()
  await answer(1000)
  await extension
  expect(saved).toHaveLength(7)
  expect(to(1001)).toBe('go')
})

it('REL-2 a ledger that stays away fails the stream instead of cutting it for lack of quota', async () => {
  const { to, fail } = opened(1000)
  const extension = to(1001)
  for (let waited = 0; waited <= extensionMaxMs; waited += retryMs) await fail()
  await extension
  expect(to(1001)).toBe('failed')
  const gone = opened(1000)
  const other = gone.to(1001)
  await gone.answer(undefined)
  await other
  expect(gone.to(1001)).toBe('failed')
})

it('REL-2 a rich balance is reserved further ahead', async () => {
  const { meter, to, saved, answer } = opened(1000)
  void to(500)
  await answer(1000)
  void to(1000)
  expect(saved.at(-1)).toMatchObject({ want: 6000 })
  await answer(6000)
  expect(meter.amount()).toBe(8000)
})

it('a times price is never extended or cut, and is saved at the first byte', () => {
  const { meter, saved } = opened(1000)
  expect(meter.progress(priced('times'), usageOf({ output: 1 }))).toBe('go')
  expect(saved).toMatchObject([{ accrued: 1000, want: 0 }])
  expect(meter.progress(priced('times'), usageOf({ output: 1e6 }))).toBe('go')
})

it('a free price saves nothing and is never cut', () => {
  const { meter, saved } = opened(0)
  const free = { ...priced(), isFree: true, cost: () => 0 }
  for (let n = 0; n < 3000; n += 1) void meter.progress(free, usageOf({ output: n }))
  expect(saved).toHaveLength(0)
  expect(meter.progress(free, usageOf({ output: 9999 }))).toBe('go')
})

it('no stream exceeds its hold, or a checkpoint interval without being saved', async () => {
  const steps = fc.array(fc.integer({ min: 1, max: 900 }), { maxLength: 60 })
  const model = fc.asyncProperty(
    fc.integer({ min: 1, max: 5000 }),
    fc.integer({ min: 0, max: 20_000 }),
    steps,
    async (amount, balance, walk) => {
      let available = balance
      let lost = 0
      const clock = { ms: 0 }
      const meter = openMeter({
        amount,
        now: () => clock.ms,
        delay: async () => undefined,
        save: async ({ want, accrued }) => {
          expect(accrued).toBeGreaterThanOrEqual(lost)
          lost = accrued
          const granted = Math.min(want, available)
          available -= granted
          return granted
        },
      })
      let output = 0
      let largest = 0
      for (const step of walk) {
        output += step
        largest = Math.max(largest, step)
        clock.ms += 300
        let action = meter.progress(one, usageOf({ output }))
        while (action instanceof Promise) {
          await action
          action = meter.progress(one, usageOf({ output }))
        }
        await new Promise(setImmediate)
        // I5: what was delivered is held.
        const delivered = outputTokens(meter.delivered())
        expect(delivered).toBeLessThanOrEqual(meter.amount())
        if (action === 'go') expect(delivered).toBe(output)
        // I12: at most one checkpoint interval, or one step, is not durable yet.
        expect(delivered - lost).toBeLessThanOrEqual(Math.max(checkpointTokens, largest))
        expect(meter.amount() + available).toBe(amount + balance)
        if (action === 'cut') return
      }
    },
  )
  await fc.assert(model, { numRuns: 300 })
})
