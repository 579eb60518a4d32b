import { describe, expect, it } from 'vitest'
import { BatchWindow } from './batch-window.ts'

/** A window with an event loop whose times the test adds. */
const makeLoop = () => {
  let times = { active: 0, idle: 0 }
  const window = new BatchWindow(() => times)
  /** The window after the loop worked for this share of the milliseconds. */
  const after = (milliseconds: number, share: number) => {
    times = {
      active: times.active + milliseconds * share,
      idle: times.idle + milliseconds * (1 - share),
    }
    return window.milliseconds()
  }
  return after
}

describe('the window of a ledger batch', () => {
  it('is empty at the start', () => {
    expect(new BatchWindow().milliseconds()).toBe(0)
  })

  it('is empty while the event loop waits for a tenth of its time or more', () => {
    for (const share of [0, 0.04, 0.3, 0.6, 0.89])
      expect([share, makeLoop()(100, share)]).toEqual([share, 0])
  })

  it('grows to four milliseconds as the event loop waits less', () => {
    const windows = [0.9, 0.925, 0.95, 0.975, 1].map(share => makeLoop()(100, share))
    expect(windows).toEqual([0, 1, 2, 3, 4])
  })

  it('stays as it is for 50 ms, which one burst does not change', () => {
    const after = makeLoop()
    expect([after(49, 1), after(51, 0), after(49, 1)]).toEqual([0, 0, 0])
    expect([after(60, 1), after(40, 0), after(20, 0)]).toEqual([4, 4, 0])
  })

  it('is empty for the first calls after a pause, and back soon when the event loop is busy', () => {
    const after = makeLoop()
    expect([after(100, 1), after(3_600_000, 0.001), after(50, 1)]).toEqual([4, 0, 4])
  })

  it('ends when all callers wait for it, which makes the event loop idle', () => {
    const after = makeLoop()
    expect([after(50, 1), after(50, 0.5)]).toEqual([4, 0])
  })
})
