import type { ErrorInfo } from '../dialect.ts'
import { isJsonObject, type Json } from '../json/json.ts'
import { encodeFault } from '../openai-chat/errors.ts'
import {
  decodeClose,
  type MessageTokens,
  type RealtimeEvent,
  type RealtimeFormat,
  type SocketEnd,
} from './format.ts'
import {
  audioInputTokens,
  audioOutputTokens,
  decodeRealtimeUsage,
  decodeTranscriptionUsage,
} from './openai-usage.ts'
import { sentTextTokens } from './sent-text.ts'

/** Reads an event of the vendor: https://developers.openai.com/api/reference/resources/realtime */
const read = (text: string): RealtimeEvent[] => {
  const event = parse(text)
  const type: unknown = event.type
  if (typeof type !== 'string') return []
  if (type.endsWith('.delta')) return deltaOf(type, event.delta)
  if (type === 'response.created') return [{ kind: 'created', responseId: idOf(event) }]
  if (type === 'response.done') {
    const usage = event.response?.usage
    return [
      {
        kind: 'done',
        responseId: idOf(event),
        usage: isJsonObject(usage) ? decodeRealtimeUsage(usage) : undefined,
      },
    ]
  }
  if (type === 'conversation.item.input_audio_transcription.completed')
    return [{ kind: 'transcribed', ...decodeTranscriptionUsage(event.usage) }]
  if (type === 'session.created' || type === 'session.updated')
    return [{ kind: 'session', transcriptionModel: transcriptionModelOf(event.session) }]
  return []
}

const idOf = ({ response }: Json): string => String(response?.id ?? '')

/** `response.output_audio.delta`, in the beta `response.audio.delta`, has base64; the others have text. */
const deltaOf = (type: string, delta: unknown): RealtimeEvent[] => {
  if (typeof delta !== 'string' || !type.startsWith('response.')) return []
  return /^response\.(output_)?audio\.delta$/.test(type)
    ? [{ kind: 'delta', audioTokens: audioOutputTokens(delta.length), textTokens: 0 }]
    : [{ kind: 'delta', audioTokens: 0, textTokens: Math.ceil(delta.length / 4) }]
}

/** An image of 1,024 x 1,024 pixels: https://platform.openai.com/docs/guides/images-vision#calculating-costs */
const imageTokens = 765

/** A message with sound or an image consists of little else. */
const readSent = (message: Buffer): MessageTokens =>
  message.includes('input_audio_buffer.append') || message.includes('"input_audio"')
    ? { text: 0, audio: audioInputTokens(message.length), image: 0 }
    : {
        text: sentTextTokens(parse(message.toString())),
        audio: 0,
        image: message.includes('"input_image"') ? imageTokens : 0,
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

const encodeEnd = (info: ErrorInfo): SocketEnd => {
  const { error } = JSON.parse(encodeFault(info).body)
  const message = JSON.stringify({
    type: 'error',
    event_id: `event_${info.requestId}`,
    error: { ...error, event_id: null },
  })
  return { message, reason: info.code }
}

/** Sessions at `/v1/realtime`. */
export const openaiRealtime: RealtimeFormat = {
  id: 'openai',
  openReader: () => ({ read, readSent }),
  encodeEnd,
  decodeClose,
  isContextCached: true,
  cancelMessage: '{"type":"response.cancel"}',
}

/** The prefix of the sub-protocol by which a browser sends its key. */
export const browserKeyProtocol = 'openai-insecure-api-key.'
