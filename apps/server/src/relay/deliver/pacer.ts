import type { Writable } from 'node:stream'
import type { App } from '../../core/app.ts'
import type { Timer } from '../../lib/timers.ts'
import { timers } from '../clock.ts'
import { type Exchange, writeParts } from '../exchange.ts'
import type { Answer } from '../upstream/send.ts'

/**
 * Writes to the caller at the caller's pace: while nothing more fits, the upstream is not read. What comes in one turn
 * leaves together at its end.
 */
export type Pacer = {
  write(part: Buffer): void
  isWaiting(): boolean
  leave(): void
}

export const makePacer = (app: App, exchange: Exchange, answer: Answer): Pacer => {
  const { response } = exchange
  const wheel = timers(app)
  const slowMs = app.settings().relay.SlowReaderSeconds * 1_000
  /** What came in this turn. */
  let parts: Buffer[] = []
  let slow: Timer | undefined
  let waitsFor: Writable | undefined

  const onDrain = () => {
    waitsFor = undefined
    if (slow) wheel.stop(slow)
    answer.resume()
  }
  const flush = () => {
    if (parts.length === 0) return
    const ready = parts
    parts = []
    if (writeParts(exchange, ready) || waitsFor) return
    waitsFor = response.socket ?? response
    answer.pause()
    // Who reads nothing for so long is treated as one who left.
    slow = wheel.start(slowMs, () => response.destroy())
    waitsFor.once('drain', onDrain)
  }
  return {
    write: part => {
      if (parts.push(part) === 1) process.nextTick(flush)
    },
    isWaiting: () => waitsFor !== undefined,
    leave: () => {
      flush()
      if (slow) wheel.stop(slow)
      waitsFor?.off('drain', onDrain)
    },
  }
}
