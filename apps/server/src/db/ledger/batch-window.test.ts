import { describe, expect, it } from 'vitest'
import { BatchWindow } from './batch-window.ts'

/** The window after a second of batches of `size`, of which `perSecond` are sent. */
const windowAfter = (perSecond: number, size = 1) => {
  const window = new BatchWindow()
  for (let at = 0; at < 1_000; at += 1_000 / perSecond) window.noteBatch(size, at)
  return window
}

describe('the window of a ledger batch', () => {
  it('is empty at the start, however many calls are open', () => {
    expect(new BatchWindow().milliseconds(1_000)).toBe(0)
  })

  it('is empty below 800 operations a second, however many calls are open', () => {
    for (const rate of [2, 40, 400, 790])
      expect([rate, windowAfter(rate).milliseconds(500)]).toEqual([rate, 0])
  })

  it('is empty with one open call, however many operations come', () => {
    expect(windowAfter(1_000, 10).milliseconds(1)).toBe(0)
  })

  it('collects six operations within two to three milliseconds, and more of them in a burst', () => {
    expect(windowAfter(1_000).milliseconds(2)).toBe(3)
    expect(windowAfter(2_400).milliseconds(2)).toBeCloseTo(2.5, 1)
    expect(windowAfter(100, 39).milliseconds(2)).toBe(2)
    expect(windowAfter(100, 40).milliseconds(2)).toBe(8)
  })

  it('counts a call that opens and closes at once as two operations of a quiet server', () => {
    const window = new BatchWindow()
    for (let at = 0; at < 10_000; at += 50) {
      window.noteBatch(1, at)
      window.noteBatch(1, at + 0.3)
    }
    expect(window.milliseconds(500)).toBe(0)
  })

  it('is back soon after a long pause', () => {
    const window = windowAfter(100, 40)
    window.noteBatch(1, 3_600_000)
    for (let batch = 1; batch <= 25; batch++) window.noteBatch(40, 3_600_000 + batch * 10)
    expect(window.milliseconds(500)).toBe(8)
  })
})
