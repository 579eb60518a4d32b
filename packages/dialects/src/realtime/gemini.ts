import { listOf, stringOf } from '../decode-values.ts'
import type { ErrorInfo } from '../dialect.ts'
import { decodeUsage } from '../gemini/usage.ts'
import { isJsonObject, type Json, type JsonObject } from '../json/json.ts'
import { addUsage, noUsage, outputTokens, type Usage } from '../usage.ts'
import {
  base64PerSecond,
  decodeClose,
  type MessageTokens,
  type RealtimeEvent,
  type RealtimeFormat,
  type RealtimeReader,
  type SocketEnd,
} from './format.ts'
import { sentTextTokens } from './sent-text.ts'

// Messages, fields and limits: https://ai.google.dev/api/live
// Each turn is billed with the whole context: https://ai.google.dev/gemini-api/docs/live-api/best-practices#pricing-billing
// A turn's usage is its own, not the session's (https://github.com/pydantic/pydantic-ai/pull/7269), and summed over the
// turns it is the bill (https://discuss.ai.google.dev/t/173248).

/** https://ai.google.dev/gemini-api/docs/audio and https://ai.google.dev/gemini-api/docs/pricing */
const audioInputPerSecond = 32
const audioOutputPerSecond = 25
const imageTokens = 258
const inputSamplesPerSecond = 16_000
const outputSamplesPerSecond = 24_000

/** Reads the usage of a session's turns. Every report replaces the one before it until the turn is complete. */
class GeminiLiveReader implements RealtimeReader {
  private turns = 0
  private isRunning = false
  /** The fields of the generation's reports. Some reports count the prompt only, and some are empty. */
  private report: JsonObject = {}
  /** Usage of the turn's generations that ended in a tool call. */
  private earlier: Usage | undefined
  private awaitsToolResponse = false
  private made = noUsage()

  read(message: string): RealtimeEvent[] {
    const { serverContent, toolCall, usageMetadata } = parse(message)
    const events: RealtimeEvent[] = []
    const made = countOutput(serverContent, toolCall)
    if (made) events.push(...this.begin(made))
    if (toolCall) this.awaitsToolResponse = true
    if (isJsonObject(usageMetadata)) Object.assign(this.report, usageMetadata)
    if (serverContent?.turnComplete === true) return [...events, this.complete()]
    const usage = usageMetadata ? this.usage() : undefined
    return typeof usage === 'object' ? [...events, { kind: 'usage', usage }] : events
  }

  /** The answer to a tool call begins another generation with a prompt of its own. */
  readSent(message: Buffer): MessageTokens {
    if (this.awaitsToolResponse && hasKey(message, 'toolResponse', 'tool_response')) {
      const usage = this.usage()
      if (typeof usage === 'object') this.earlier = usage
      this.report = {}
      this.awaitsToolResponse = false
    }
    return countInput(message)
  }

  private begin({ audio, text }: Pick<MessageTokens, 'audio' | 'text'>): RealtimeEvent[] {
    const isFirst = !this.isRunning
    this.isRunning = true
    this.awaitsToolResponse = false
    this.made.audioOutput += audio
    this.made.output += text
    const delta: RealtimeEvent = { kind: 'delta', audioTokens: audio, textTokens: text }
    return isFirst ? [{ kind: 'created', responseId: this.responseId() }, delta] : [delta]
  }

  private complete(): RealtimeEvent {
    const responseId = this.responseId()
    const usage = this.usage()
    const made: Usage = {
      ...noUsage(),
      output: Math.ceil(this.made.output),
      audioOutput: Math.ceil(this.made.audioOutput),
    }
    this.turns++
    this.isRunning = false
    this.report = {}
    this.earlier = undefined
    this.awaitsToolResponse = false
    this.made = noUsage()
    const hasNoOutput =
      typeof usage === 'object' && outputTokens(usage) === 0 && outputTokens(made) > 0
    return hasNoOutput
      ? { kind: 'done', responseId, usage: addUsage(usage, made), isEstimated: true }
      : { kind: 'done', responseId, usage }
  }

  private usage(): Usage | 'broken' | undefined {
    const hasCounts = Object.keys(this.report).some(each => each.endsWith('TokenCount'))
    const usage = hasCounts ? decodeUsage(this.report) : undefined
    if (!this.earlier || usage === 'broken') return usage
    return usage ? addUsage(this.earlier, usage) : this.earlier
  }

  private responseId(): string {
    return `turn_${this.turns}`
  }
}

/** Undefined where the message has no output of the model. */
const countOutput = (content: Json, toolCall: Json) => {
  const parts = listOf(content?.modelTurn?.parts)
  const transcript = stringOf(content?.outputTranscription?.text)
  if (parts.length === 0 && transcript === '' && !toolCall) return undefined
  let audio = 0
  let characters = transcript.length + (toolCall ? JSON.stringify(toolCall).length : 0)
  for (const part of parts) {
    characters += stringOf(part?.text).length
    audio += stringOf(part?.inlineData?.data).length
  }
  const seconds = audio / base64PerSecond(outputSamplesPerSecond)
  return { audio: seconds * audioOutputPerSecond, text: characters / 4 }
}

const countInput = (message: Buffer): MessageTokens => {
  if (!hasKey(message, 'realtimeInput', 'realtime_input'))
    return {
      text: sentTextTokens(parse(message.toString())),
      audio: 0,
      image: message.includes('"image/') ? imageTokens : 0,
    }
  if (hasKey(message, 'video') || message.includes('"image/'))
    return { text: 0, audio: 0, image: imageTokens }
  const seconds = message.length / base64PerSecond(inputSamplesPerSecond)
  return { text: 0, audio: seconds * audioInputPerSecond, image: 0 }
}

/** Some official clients write names with underscores. */
const hasKey = (message: Buffer, ...names: string[]): boolean =>
  names.some(each => message.includes(`"${each}"`))

/** A close frame has 123 bytes for its reason, and the official clients report nothing else. */
const encodeEnd = ({ code, message }: ErrorInfo): SocketEnd =>
  code === 'server.stopping' || code === 'socket.expired'
    ? { message: '{"goAway":{"timeLeft":"0s"}}', reason: message }
    : { reason: message }

/** Sessions of `BidiGenerateContent`. */
export const geminiLive: RealtimeFormat = {
  id: 'gemini',
  openReader: () => new GeminiLiveReader(),
  encodeEnd,
  decodeClose,
  isContextCached: false,
}

/** The first message of a session. */
export type LiveSetup = {
  model: string
  /** Continues an earlier session. */
  handle: string | undefined
  /** Encodes the message with the names that the vendor knows. */
  encode(model: string, handle: string | undefined): string
}

/** Reads the first message; a text says what is wrong with it. */
export const readLiveSetup = (message: Buffer): LiveSetup | string => {
  const { setup, ...others } = parse(message.toString())
  if (!isJsonObject(setup)) return "The first message must be a 'setup'."
  const model = stringOf(setup.model).replace(/^(.*\/)?models\//, '')
  if (model === '') return "The 'setup' needs a 'model'."
  const key = 'session_resumption' in setup ? 'session_resumption' : 'sessionResumption'
  const resumption = isJsonObject(setup[key]) ? setup[key] : undefined
  const handle = stringOf(resumption?.handle) || undefined
  return {
    model,
    handle,
    encode: (model, handle) => {
      const more = handle === undefined ? {} : { [key]: { ...resumption, handle } }
      return JSON.stringify({ setup: { ...setup, model, ...more }, ...others })
    },
  }
}

/** Replaces the handle by which a session can be continued; returns undefined for any other message. */
export const replaceSessionHandle = (
  message: Buffer,
  replace: (handle: string) => string,
): string | undefined => {
  if (!message.includes('"newHandle"')) return undefined
  const content = parse(message.toString())
  const update = content.sessionResumptionUpdate
  const handle = stringOf(update?.newHandle)
  if (handle === '') return undefined
  const replaced = { ...update, newHandle: replace(handle) }
  return JSON.stringify({ ...content, sessionResumptionUpdate: replaced })
}

const parse = (text: string): Json => {
  try {
    return JSON.parse(text) ?? {}
  } catch {
    return {}
  }
}
