import type { Fault } from '@hub/contract'
import type { Attempt } from '../context.ts'
import type { Answer } from '../upstream/send.ts'

/** An upstream's answer on its way to the caller. */
export type Delivery = {
  attempt: Attempt
  answer: Answer
  /** Set where the gateway stores the response itself. */
  saveResponse?: SaveResponse | undefined
}

/**
 * Stores a complete answer, given its last bytes. Resolves with the last bytes as the caller may see them and warnings
 * for the log row. Rejects only where the answer must not be charged without being stored.
 */
export type SaveResponse = (last: Buffer) => Promise<SavedResponse>
export type SavedResponse = { last: Buffer; warnings: readonly string[] }

/** How a delivery ended: the caller was answered, or no byte was sent and another channel may be tried. */
export type Delivered = { ok: true } | Undelivered
export type Undelivered = { ok: false; fault: Fault; failure?: unknown }
