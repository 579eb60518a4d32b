import type { Fault } from '@hub/contract'
import type { StreamObserver } from '@hub/dialects'
import type { Finish } from '../../billing/open-hold.ts'
import type { Attempt } from '../context.ts'
import type { Answer } from '../upstream/send.ts'
import type { SeenAnswer } from './failures/unanswered.ts'
import type { LeftAnswer } from './left/forwarded.ts'

/** An upstream's answer on its way to the caller. */
export type Delivery = {
  attempt: Attempt
  answer: Answer
  /** Set where the gateway stores the response itself, or changes the form of its images. */
  saveResponse?: SaveResponse | undefined
  /** Set where the opening was observed before. */
  begun?: BegunStream | undefined
  /** Says whether a failure now would leave the call another attempt. */
  canTryAnother(): boolean
}

/** An observer that has seen the opening of a stream, and what it let through. */
export type BegunStream = { observer: StreamObserver; parts: readonly Buffer[] }

/**
 * Stores or converts a complete answer, given its last bytes. Resolves with the last bytes as the caller may see them and warnings
 * for the log row. Rejects only where the answer must not be charged without being stored.
 */
export type SaveResponse = (last: Buffer) => Promise<SavedResponse>
export type SavedResponse = { last: Buffer; warnings: readonly string[] }

/** How a delivery ended: the caller was answered, or no byte was sent and another channel may be tried. */
export type Delivered = { ok: true } | Undelivered
export type Undelivered = {
  ok: false
  fault: Fault
  failure?: unknown
  /** Absent where nothing of the answer was read. */
  seen?: SeenAnswer | undefined
}

export type StreamEnd = {
  /** The metered output tokens that were written. */
  delivered: number
  /** The answer when its caller left. */
  left: LeftAnswer | undefined
}

/** The parts of a stream that differ between a charged call and a response that is read again. */
export type StreamHooks = {
  /** Runs once the stream has named its response; until it resolves the caller sees no byte and the upstream is paused. */
  beforeFirstByte?(responseId: string): Promise<void>
  /** Runs before metered output is written. A fault cuts the stream in front of it; a promise delays it, then this runs again. */
  onProgress?(metered: number): 'go' | Fault | Promise<void>
  /** Called when the caller has left: may usage follow that matters? Absent: the stream is closed at once. */
  mayHide?(): false | Promise<boolean>
  /** Runs before the caller sees the end. A buffer replaces the observer's last bytes. */
  beforeEnd(finish: Finish, ended: StreamEnd): Promise<Buffer | undefined> | undefined
  /** The fault for an error that the upstream reports inside the stream. */
  faultOf(failure: unknown): Fault
  /** Headers of an answer that is no stream of events. It has neither pings nor an event for an error. */
  headers?: readonly string[]
}

export type StreamSource = {
  answer: Answer
  observer: StreamObserver
  /** Bytes that the observer let through before the answer is read on. */
  opening?: readonly Buffer[] | undefined
  hooks: StreamHooks
}
