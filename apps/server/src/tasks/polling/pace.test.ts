import fc from 'fast-check'
import { expect, it } from 'vitest'
import { isPlaceOver, makePace } from './pace.ts'

const limits = [1, 2, 5, 10, 20, 50, 333, 667, 1_000]

it.each(limits)('a limit of %d per second is used to three quarters', limit => {
  const { spacingMs } = makePace(limit)
  expect(1_000 / spacingMs).toBeGreaterThan(limit * 0.75)
})

it('0 is no limit', () => {
  expect(makePace(0)).toEqual({ requests: 64, spacingMs: 0 })
  expect(isPlaceOver(makePace(0), 0, 1e12)).toBe(false)
})

/** The clock of the node that takes a turn, and the time that passed before it. */
const turn = fc.record({
  clockMs: fc.integer({ min: -25, max: 25 }),
  idleMs: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 400 })),
})
const turns = fc.array(turn, { minLength: 30, maxLength: 60 })
/** All nodes stand still for the first part of each period. */
const stalls = fc.record({
  periodMs: fc.integer({ min: 300, max: 3_000 }),
  stallMs: fc.integer({ min: 0, max: 2_000 }),
})

it.each(limits)('no second sees more than %d requests, however late nodes are', limit => {
  const pace = makePace(limit)
  fc.assert(
    fc.property(turns, stalls, (all, { periodMs, stallMs }) => {
      const afterStall = (time: number) => {
        const inPeriod = time % periodMs
        return inPeriod < stallMs ? time - inPeriod + stallMs : time
      }
      let next = 10_000
      const sent: number[] = []
      for (const { clockMs, idleMs } of all) {
        const at = next + idleMs
        next = at + Math.ceil(pace.requests * pace.spacingMs)
        for (let index = 0; index < pace.requests; index += 1) {
          const place = at + index * pace.spacingMs
          const time = afterStall(place - clockMs)
          if (!isPlaceOver(pace, place, time + clockMs)) sent.push(time)
        }
      }
      sent.sort((a, b) => a - b)
      // Of limit + 1 requests the first and the last are a second apart, but for the rounding of numbers.
      for (const [index, time] of sent.entries())
        if (index >= limit) expect(time - sent[index - limit]!).toBeGreaterThan(1_000 - 1e-6)
    }),
    { numRuns: 40 },
  )
})
