import type { Writable } from 'node:stream'
import type { App } from '../../core/app.ts'
import { timers } from '../../core/timers.ts'
import type { Timer } from '../../lib/time/timers.ts'
import type { RequestContext } from '../context.ts'
import type { Answer } from '../upstream/send.ts'
import { writeChunks } from './write.ts'

/**
 * Writes to the caller with backpressure: pauses the upstream while the socket buffer is full, and disconnects a caller
 * that stays blocked for `SlowReaderSeconds`. Parts written in one tick are sent in one write.
 */
export type BackpressureWriter = {
  write(part: Buffer): void
  isBlocked(): boolean
  /** Flushes, and stops waiting for the caller. It does not resume a paused upstream. */
  dispose(): void
}

export const makeBackpressureWriter = (
  app: App,
  context: RequestContext,
  answer: Pick<Answer, 'pause' | 'resume'>,
): BackpressureWriter => {
  const { stream } = context.response
  const slowReaderMs = app.settings().relay.SlowReaderSeconds * 1_000
  /** Parts written since the last flush. */
  let parts: Buffer[] = []
  let slowTimer: Timer | undefined
  let blockedOn: Writable | undefined

  const onDrain = () => {
    blockedOn = undefined
    if (slowTimer) timers(app).stop(slowTimer)
    answer.resume()
  }
  const flush = () => {
    if (parts.length === 0) return
    const ready = parts
    parts = []
    if (writeChunks(context.response, ready) || blockedOn) return
    blockedOn = stream.socket ?? stream
    answer.pause()
    // A caller who reads nothing for this long is treated as disconnected.
    slowTimer = timers(app).start(slowReaderMs, () => stream.destroy())
    blockedOn.once('drain', onDrain)
  }
  return {
    write: part => {
      if (parts.push(part) === 1) process.nextTick(flush)
    },
    isBlocked: () => blockedOn !== undefined,
    dispose: () => {
      flush()
      if (slowTimer) timers(app).stop(slowTimer)
      blockedOn?.off('drain', onDrain)
    },
  }
}
