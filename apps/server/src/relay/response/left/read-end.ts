import type { App } from '../../core/app.ts'
import { timers } from '../../core/timers.ts'
import type { Answer } from '../upstream/send.ts'

/** The usage follows the finish at once; a longer wait would keep the upstream's connection for nobody. */
const endMs = 2_000
const endBytesMax = 64 * 1024

/** A finished upstream may take this long to end its answer before its connection is closed. */
const drainGraceMs = 1_000

type EndReader = {
  /** Returns whether the end was read. */
  data(chunk: Buffer): boolean
  end(): void
}

/**
 * Reads the end of an answer whose caller left after the upstream's finish, for its usage. Within the limits above it
 * closes the connection and calls `onOver` once.
 */
export const readEnd = (app: App, answer: Answer, reader: EndReader, onOver: () => void): void => {
  let size = 0
  const finish = () => {
    timers(app).stop(timer)
    answer.drop()
    onOver()
  }
  const timer = timers(app).start(endMs, finish)
  answer.read({
    data: chunk => {
      size += chunk.length
      if (reader.data(chunk) || size > endBytesMax) finish()
    },
    end: () => {
      reader.end()
      finish()
    },
    broke: finish,
  })
  answer.resume()
}

/** Reads the rest of a finished answer, so that its connection can be used again. */
export const drainUpstream = (app: App, answer: Answer, isPaused: boolean) => {
  const timer = timers(app).start(drainGraceMs, () => answer.drop())
  const stop = () => timers(app).stop(timer)
  answer.read({ data: () => {}, end: stop, broke: stop })
  if (isPaused) answer.resume()
}
