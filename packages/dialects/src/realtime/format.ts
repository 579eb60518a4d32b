import type { ErrorInfo } from '../dialect.ts'
import type { FormatId } from '../dialect-id.ts'
import type { Usage } from '../usage.ts'

/** The part of a server event that billing needs. */
export type RealtimeEvent =
  | { kind: 'created'; responseId: string }
  /** Usage is undefined where the vendor reports none, as for a response that failed at once. */
  | {
      kind: 'done'
      responseId: string
      usage: Usage | 'broken' | undefined
      /** A part of the usage was counted, because the vendor reported the rest only. */
      isEstimated?: boolean
    }
  | { kind: 'delta'; audioTokens: number; textTokens: number }
  /** Usage of the running response so far. */
  | { kind: 'usage'; usage: Usage }
  | { kind: 'transcribed'; usage: Usage; isEstimated: boolean }
  /** The session names another model that transcribes the caller's audio. */
  | { kind: 'session'; transcriptionModel: string | undefined }

/** Tokens of a message, by the gateway's count. */
export type MessageTokens = { text: number; audio: number; image: number }

/** Reads the messages of one session. */
export type RealtimeReader = {
  /** The events of a message of the vendor. */
  read(message: string): RealtimeEvent[]
  /** Counts a message of the caller. */
  readSent(message: Buffer): MessageTokens
}

/** The last message of a session, if its format has one for errors, and the reason of the close frame. */
export type SocketEnd = { message?: string; reason: string }

/** A format of realtime sessions. */
export type RealtimeFormat = {
  id: FormatId
  openReader(): RealtimeReader
  encodeEnd(info: ErrorInfo): SocketEnd
  /** The vendor reads the conversation so far from its cache. */
  isContextCached: boolean
  /** The error that a close frame reports, as an HTTP status and a body of the format. */
  decodeClose(code: number, reason: string): { status: number; body: Buffer }
  /** Ends a response that is being made; absent where closing the connection is the only way. */
  cancelMessage?: string
}

/** Bytes of 16-bit PCM in a second, in base64. */
export const base64PerSecond = (samplesPerSecond: number): number => (samplesPerSecond * 2 * 4) / 3

/** Reads the few codes that vendors use: https://www.rfc-editor.org/rfc/rfc6455#section-7.4.1 */
export const decodeClose: RealtimeFormat['decodeClose'] = (code, reason) => ({
  status: statusOfClose(code, reason),
  body: Buffer.from(JSON.stringify({ error: { message: reason } })),
})

/** Code 1008 stands for an unknown model as well as for a refused account, so the text decides. */
const statusOfClose = (code: number, reason: string): number => {
  if (/quota|exhausted|rate limit/i.test(reason)) return 429
  if (/not found|not supported/i.test(reason)) return 404
  if (code === 1007) return 400
  return code === 1008 ? 403 : 500
}
