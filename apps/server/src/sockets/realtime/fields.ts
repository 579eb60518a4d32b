import type { RealtimeFormat, Usage } from '@hub/dialects'
import type { CallContext } from '../../relay/context.ts'
import type { SocketSession } from '../session.ts'
import type { UpstreamSocket } from './connect.ts'
import type { RealtimeTurn } from './turn.ts'

/** Above this the sender is paused until the receiver has read. */
export const bufferedMax = 1024 * 1024

/** Close codes: https://www.rfc-editor.org/rfc/rfc6455#section-7.4.1 */
export const abnormal = 1006
export const invalidMessage = 1007

/** How long a response is read on for its usage after its caller has left. */
export const readOnMs = 2_000

/** Messages of the vendor that wait for a charge; above it the vendor is paused. */
export const queueMax = 64

/** The parts of a realtime session. */
export type RealtimeFields = {
  session: SocketSession
  upstream: UpstreamSocket
  format: RealtimeFormat
  /** Replaces a message of the vendor; returns undefined for one that is forwarded as it is. */
  rewrite: ((message: Buffer) => string | undefined) | undefined
  /** The turn that was opened with the session. */
  turn: RealtimeTurn
  call: CallContext
  /** Opens the next turn, for a prompt of this many tokens. */
  openTurn(promptTokens: number): RealtimeTurn
  /** Charges a transcription, which is a call of its own. */
  chargeTranscription(usage: Usage, model: string | undefined, isEstimated: boolean): Promise<void>
}
