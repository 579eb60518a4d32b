import type { ErrorInfo } from '../dialect.ts'
import { isJsonObject, type Json } from '../json/json.ts'
import { encodeFault } from '../openai-chat/errors.ts'
import type { Usage } from '../usage.ts'
import { audioOutputTokens, decodeRealtimeUsage, decodeTranscriptionUsage } from './usage.ts'

/** The part of a server event that billing needs. */
export type RealtimeEvent =
  | { kind: 'created'; responseId: string }
  /** Usage is undefined where the vendor reports none, as for a response that failed at once. */
  | { kind: 'done'; responseId: string; usage: Usage | 'broken' | undefined }
  | { kind: 'delta'; audioTokens: number; textTokens: number }
  | { kind: 'transcribed'; usage: Usage; isEstimated: boolean }
  /** The session names another model that transcribes the caller's audio. */
  | { kind: 'session'; transcriptionModel: string | undefined }
  | { kind: 'other' }

const other: RealtimeEvent = { kind: 'other' }

/** Reads an event of the vendor: https://developers.openai.com/api/reference/resources/realtime */
export const readRealtimeEvent = (text: string): RealtimeEvent => {
  const event = parse(text)
  const type: unknown = event.type
  if (typeof type !== 'string') return other
  if (type.endsWith('.delta')) return deltaOf(type, event.delta)
  if (type === 'response.created') return { kind: 'created', responseId: idOf(event) }
  if (type === 'response.done') {
    const usage = event.response?.usage
    return {
      kind: 'done',
      responseId: idOf(event),
      usage: isJsonObject(usage) ? decodeRealtimeUsage(usage) : undefined,
    }
  }
  if (type === 'conversation.item.input_audio_transcription.completed')
    return { kind: 'transcribed', ...decodeTranscriptionUsage(event.usage) }
  if (type === 'session.created' || type === 'session.updated')
    return { kind: 'session', transcriptionModel: transcriptionModelOf(event.session) }
  return other
}

const idOf = ({ response }: Json): string => String(response?.id ?? '')

/** `response.output_audio.delta`, in the beta `response.audio.delta`, has base64; the others have text. */
const deltaOf = (type: string, delta: unknown): RealtimeEvent => {
  if (typeof delta !== 'string' || !type.startsWith('response.')) return other
  return /^response\.(output_)?audio\.delta$/.test(type)
    ? { kind: 'delta', audioTokens: audioOutputTokens(delta.length), textTokens: 0 }
    : { kind: 'delta', audioTokens: 0, textTokens: Math.ceil(delta.length / 4) }
}

const transcriptionModelOf = (session: Json): string | undefined => {
  const model = (session?.audio?.input?.transcription ?? session?.input_audio_transcription)?.model
  return typeof model === 'string' ? model : undefined
}

const parse = (text: string): Json => {
  try {
    return JSON.parse(text) ?? {}
  } catch {
    return {}
  }
}

export const encodeRealtimeFault = (info: ErrorInfo): string => {
  const { error } = JSON.parse(encodeFault(info).body)
  return JSON.stringify({
    type: 'error',
    event_id: `event_${info.requestId}`,
    error: { ...error, event_id: null },
  })
}

/** Ends a response that is being made. */
export const cancelResponse = '{"type":"response.cancel"}'

/** The prefix of the sub-protocol by which a browser sends its key. */
export const browserKeyProtocol = 'openai-insecure-api-key.'
