import type { App } from '../../core/app.ts'
import type { Timer } from '../../lib/timers.ts'
import { timers } from '../clock.ts'
import { type Exchange, writePart } from '../exchange.ts'
import type { Answer } from '../upstream/send.ts'

/** Writes to the caller at the caller's pace: while nothing more fits, the upstream is not read. */
export type Pacer = {
  write(part: Buffer): void
  isWaiting(): boolean
  leave(): void
}

export const makePacer = (app: App, exchange: Exchange, answer: Answer): Pacer => {
  const { response } = exchange
  const wheel = timers(app)
  const slowMs = app.settings().relay.SlowReaderSeconds * 1_000
  let slow: Timer | undefined
  let isWaiting = false

  const onDrain = () => {
    isWaiting = false
    if (slow) wheel.stop(slow)
    answer.resume()
  }
  return {
    write: part => {
      if (writePart(exchange, part) || isWaiting) return
      isWaiting = true
      answer.pause()
      // Who reads nothing for so long is treated as one who left.
      slow = wheel.start(slowMs, () => response.destroy())
      response.once('drain', onDrain)
    },
    isWaiting: () => isWaiting,
    leave: () => {
      if (slow) wheel.stop(slow)
      response.off('drain', onDrain)
    },
  }
}
