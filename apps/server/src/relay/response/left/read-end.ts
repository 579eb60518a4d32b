import type { App } from '../../../core/app.ts'
import { timers } from '../../../core/timers.ts'
import type { Answer } from '../../upstream/send.ts'

/** A longer wait would keep the upstream's connection, and its work, for nobody. */
const endMs = 2_000
/** The usage follows at once after the upstream has reported its finish. */
export const finishedBytesMax = 64 * 1024
/** The rest of whole answers, and output for nobody, may be longer. */
export const unfinishedBytesMax = 8 * 1024 * 1024

/** A finished upstream may take this long to end its answer before its connection is closed. */
const drainGraceMs = 1_000

type EndReader = {
  bytesMax: number
  /** Returns whether the end was read. */
  data(chunk: Buffer): boolean
  end(): void
}

/**
 * Reads on in an answer whose caller left, for its usage. Within the limits above it closes the connection and calls
 * `onOver` once. The returned function ends it at once.
 */
export const readEnd = (
  app: App,
  answer: Answer,
  reader: EndReader,
  onOver: () => void,
): (() => void) => {
  let size = 0
  let isOver = false
  const finish = () => {
    if (isOver) return
    isOver = true
    timers(app).stop(timer)
    answer.drop()
    onOver()
  }
  const timer = timers(app).start(endMs, finish)
  answer.read({
    data: chunk => {
      if (isOver) return
      size += chunk.length
      if (reader.data(chunk) || size > reader.bytesMax) finish()
    },
    end: () => {
      if (isOver) return
      reader.end()
      finish()
    },
    broke: finish,
  })
  if (!isOver) answer.resume()
  return finish
}

/** Reads the rest of a finished answer, so that its connection can be used again. */
export const drainUpstream = (app: App, answer: Answer, isPaused: boolean) => {
  const timer = timers(app).start(drainGraceMs, () => answer.drop())
  const stop = () => timers(app).stop(timer)
  answer.read({ data: () => {}, end: stop, broke: stop })
  if (isPaused) answer.resume()
}
