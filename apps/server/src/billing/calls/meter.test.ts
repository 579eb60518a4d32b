import fc from 'fast-check'
import { expect, it } from 'vitest'
import { prepareCost } from '../price.ts'
import type { EffectivePrice } from '../price-cache.ts'
import { termsOf } from '../prices/terms.ts'
import { usageOf } from '../usage.ts'
import { type Checkpoint, checkpointTokens, graceMs, openMeter } from './meter.ts'

const priced = (type: 'tokens' | 'times' = 'tokens', output = '1'): EffectivePrice => {
  const row = { model: 'm', type, channel_type: 0, input: '1', output, extra_ratios: null }
  const terms = termsOf(row, '1', {})
  return { priceId: 1, model: 'm', type, group: 'default', terms, ...prepareCost(terms) }
}
const one = priced()

/** A meter with a manual clock, whose checkpoints the test resolves. */
const opened = (amount: number) => {
  const saved: Checkpoint[] = []
  const waiting: { answer(granted: number): void; fail(): void }[] = []
  const clock = { ms: 0 }
  const meter = openMeter({
    amount,
    now: () => clock.ms,
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
    answer: (granted: number) => settled(() => next().answer(granted)),
    fail: () => settled(() => next().fail()),
  }
}

it('a checkpoint is saved every 512 output tokens, and every two seconds if the usage changed', async () => {
  const { to, saved, clock, answer } = opened(1_000_000)
  for (let n = 1; n < checkpointTokens; n += 1) expect(to(n)).toBe('go')
  expect(saved).toHaveLength(0)
  to(checkpointTokens)
  expect(saved).toMatchObject([{ accrued: 512, want: 0 }])
  await answer(0)
  clock.ms += 1999
  to(513)
  expect(saved).toHaveLength(1)
  clock.ms += 1
  to(513)
  expect(saved).toHaveLength(1)
  to(514)
  expect(saved[1]).toMatchObject({ accrued: 514, delivered: { output: 514 } })
})

it('an expensive prompt is saved at the first byte, a cheap one waits', () => {
  const expensive = opened(1_000_000)
  expensive.to(1, 511)
  expect(expensive.saved).toHaveLength(1)
  const cheap = opened(1_000_000)
  cheap.to(1, 510)
  expect(cheap.saved).toHaveLength(0)
})

it('only one checkpoint is saved at a time', () => {
  const { to, saved } = opened(1_000_000)
  for (let n = 1; n < 5000; n += 1) to(n)
  expect(saved).toHaveLength(1)
})

it('an extension is requested at half, and granted points raise the amount', async () => {
  const { meter, to, saved, answer } = opened(1000)
  to(499)
  expect(saved).toHaveLength(0)
  to(500)
  expect(saved).toMatchObject([{ want: 1000 }])
  await answer(1000)
  expect(meter.amount()).toBe(2000)
  expect(to(999)).toBe('go')
  expect(saved).toHaveLength(1)
})

it('after a refused extension a stream continues to the end of its hold and is cut there', async () => {
  const { to, answer } = opened(1000)
  to(500)
  await answer(100)
  expect(to(1099)).toBe('go')
  await answer(0)
  expect(to(1100)).toBe('cut')
  expect(to(1100)).toBe('cut')
})

it('a refused extension is requested again, so a top-up keeps a running stream alive', async () => {
  const { meter, to, saved, clock, answer } = opened(1000)
  to(500)
  await answer(0)
  clock.ms += 2000
  expect(to(600)).toBe('go')
  expect(saved[1]).toMatchObject({ want: 1000 })
  await answer(1000)
  expect(meter.amount()).toBe(2000)
  expect(to(1100)).toBe('go')
})

it('a stream may outrun the database only during the grace period', async () => {
  const { to, clock, answer, saved } = opened(1000)
  expect(to(50_000)).toBe('go')
  expect(saved).toMatchObject([{ accrued: 50_000, want: 99_000 }])
  clock.ms += graceMs - 1
  expect(to(60_000)).toBe('go')
  clock.ms += 1
  expect(to(60_000)).toBe('cut')
  const other = opened(1000)
  other.to(50_000)
  await other.answer(99_000)
  expect(other.to(99_000)).toBe('go')
  await answer(0)
})

it('while saves fail, a stream is cut at its hold', async () => {
  const { to, fail } = opened(1000)
  to(500)
  await fail()
  expect(to(999)).toBe('go')
  expect(to(1000)).toBe('cut')
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
  for (let n = 0; n < 3000; n += 1) meter.progress(free, usageOf({ output: n }))
  expect(saved).toHaveLength(0)
  expect(meter.progress(free, usageOf({ output: 9999 }))).toBe('go')
})

it('no stream exceeds its hold by more than two steps, or a checkpoint interval without being saved', async () => {
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
        save: async ({ want, accrued }) => {
          expect(accrued).toBeGreaterThan(lost)
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
        const action = meter.progress(one, usageOf({ output }))
        await new Promise(setImmediate)
        // I12: at most one checkpoint interval, or one step, is not durable yet.
        expect(output - lost).toBeLessThanOrEqual(Math.max(checkpointTokens, largest))
        // I5: the hold covers the delivered usage, except the step that reached its end and the one in the grace period.
        if (action === 'cut' || available === 0)
          expect(output - meter.amount()).toBeLessThanOrEqual(largest * 2)
        else expect(output).toBeLessThanOrEqual(meter.amount())
        expect(meter.amount() + available).toBe(amount + balance)
        if (action === 'cut') return
      }
    },
  )
  await fc.assert(model, { numRuns: 300 })
})
