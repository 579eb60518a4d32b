import type { StreamObserver } from '@hub/dialects'
import type { App } from '../../../core/app.ts'
import type { Answer } from '../../upstream/send.ts'
import type { LeftAnswer } from './forwarded.ts'
import { finishedBytesMax, readEnd, unfinishedBytesMax } from './read-end.ts'

/** `delivered`: the output tokens that were written, where the observer has counted more. */
export const leftAnswerOf = (
  app: App,
  observer: StreamObserver,
  delivered?: number,
): LeftAnswer => {
  const metered = delivered ?? Math.max(0, observer.meteredTokens())
  return {
    metered,
    audio: audioOf(observer, metered),
    visibleReasoning: Math.max(0, metered - (observer.answerTokens?.() ?? metered)),
    tools: observer.tools?.(),
    reported: observer.usage(),
    at: app.monotonic(),
  }
}

/** The audio among the output tokens that were written. */
export const audioOf = (observer: StreamObserver, metered: number): number | undefined => {
  const audio = observer.audioTokens?.()
  return audio === undefined ? undefined : Math.min(audio, metered)
}

type LeftStream = {
  answer: Answer
  observer: StreamObserver
  /** Chunks that were not forwarded. */
  waiting: readonly Buffer[]
  /** Usage may follow that matters: false, or a promise that may say so later. */
  mayHide: false | Promise<boolean>
}

/** Reads on in a stream whose caller left. Returns false where its usage cannot matter, so that it is closed at once. */
export const readOn = (
  app: App,
  { answer, observer, waiting, mayHide }: LeftStream,
  onOver: () => void,
): boolean => {
  const isFinished = observer.mayBeComplete()
  if (!isFinished && mayHide === false) return false
  const push = (chunk: Buffer) => {
    observer.push(chunk)
    return observer.isClosed() || observer.failure() !== undefined
  }
  if (waiting.some(push)) {
    onOver()
    return true
  }
  const bytesMax = isFinished ? finishedBytesMax : unfinishedBytesMax
  const end = () => void observer.end?.()
  const close = readEnd(app, answer, { bytesMax, data: push, end }, onOver)
  if (!isFinished && mayHide)
    mayHide.then(
      isHidden => {
        if (!isHidden) close()
      },
      () => undefined,
    )
  return true
}
