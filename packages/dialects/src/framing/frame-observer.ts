import type { Emptiness } from '../empty-answers/emptiness.ts'
import type { AnswerIds } from '../references/answer-ids.ts'
import type { ToolCounts, Usage } from '../usage.ts'

/**
 * Decides about a frame: `drop` removes it, `closing` keeps it until the charge, `hold` keeps it until the next frame
 * because it may be the last one. `malformed` removes and counts it; `error` ends the stream.
 */
export type FrameAction = 'forward' | 'drop' | 'closing' | 'hold' | 'malformed' | 'error'

/** The part of a stream observer that knows the dialect: it reads the data of one frame at a time. */
export type FrameObserver = {
  observe(bytes: Buffer, start: number, end: number): FrameAction
  /** Bytes [cutStart, cutEnd) to remove from the observed frame, in the same buffer; undefined for none. */
  cutRange?(): { cutStart: number; cutEnd: number } | undefined
  /** The text of the observed frame, without quotes, if a frame that differs only in it needs no other observation. */
  textRange?(): { textStart: number; textEnd: number } | undefined
  /** Observes a frame that equals the last one except for the text in this range. */
  observeText?(bytes: Buffer, start: number, end: number): void
  /** The output so far may be the whole answer: the last frame reported a finish, or the end of a part. */
  mayBeComplete(): boolean
  weightedChars(): number
  /** The part of these that is audio; absent in a dialect without it. */
  audioChars?(): number
  /** How the answer ended so far without output; undefined once it has some. */
  emptiness?(): Emptiness | undefined
  /** The part of these that is no visible reasoning; absent in a dialect whose output limit counts reasoning. */
  answerChars?(): number
  /** The finished calls so far of tools that are sold by the call; absent in a dialect without them. */
  tools?(): ToolCounts
  usage(): Usage | 'broken' | undefined
  /** Accepts a closing frame without the blank line that ends a frame, at the end of the bytes so far. */
  closingOf?(rest: Buffer): Buffer | undefined
  /** The response id, in a dialect whose vendor stores responses. */
  responseId?(): string | undefined
  /** The ids so far by which later requests may name parts of the answer. */
  answerIds?(): AnswerIds
  /** For a dialect whose closing frame may be absent: the stream is complete if it ends now. */
  isFinished?(): boolean
  /** The closing frame to add where the upstream ends without it; absent in a dialect that has none. */
  omittedClosing?: Buffer
  /**
   * The frame that ends a stream behind the failure just observed, for an upstream that leaves it out. Undefined: the
   * failure is itself the last frame. Absent in a dialect whose failures always are.
   */
  endOfFailure?(failure: unknown): Buffer | undefined
}
