import type { RealtimeFormat, Usage } from '@hub/dialects'
import type { CallContext } from '../../context.ts'
import type { SocketSession } from '../session.ts'
import type { UpstreamSocket } from './connect.ts'
import type { RealtimeTurn } from './turn.ts'

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
