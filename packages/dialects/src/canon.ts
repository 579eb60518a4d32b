import type { DialectId } from './dialect-id.ts'
import type { Usage } from './usage.ts'

/**
 * Canonical, vendor-neutral types of chat requests and responses. A field is here if two dialects have it, or a recorded
 * response needs it. Other fields stay in `unknownFields` and opaque parts: the same dialect writes them back, others warn.
 */

/** Fields of one dialect that canon does not model, unchanged. */
export type UnknownFields = { dialect: DialectId; fields: Record<string, unknown> }

/** A feature (`dropped`) that the target `dialect` cannot express. The request log lists it, so nothing is lost silently. */
export type Warning = { dropped: string; dialect: DialectId }

/** A signature or encrypted reasoning that only its own dialect can verify; byte for byte. */
export type Signature = { dialect: DialectId; text: string }

/** Ends a prompt prefix that the vendor caches. Without `ttl` the vendor's default applies (five minutes). */
export type CacheControl = { ttl?: '5m' | '1h' }

/** The source of a passage. `raw` is the dialect's own object, which its encoder writes back unchanged. */
export type Citation = {
  url?: string
  title?: string
  /** Quoted text of the source. */
  quote?: string
  /** UTF-16 code units [start, end) of the text part. */
  start?: number
  end?: number
  raw?: { dialect: DialectId; value: unknown }
}

export type Logprob = {
  token: string
  logprob: number
  bytes?: number[] | null
  top?: { token: string; logprob: number; bytes?: number[] | null }[]
}

type PartBase = { cache?: CacheControl; unknownFields?: UnknownFields }

export type TextPart = PartBase & {
  type: 'text'
  text: string
  /** The text is the model's refusal. */
  refusal?: true
  citations?: Citation[]
  logprobs?: Logprob[]
  signature?: Signature
}

export type ThinkingPart = PartBase & {
  type: 'thinking'
  text: string
  signature?: Signature
  /** The vendor withholds the text; there is only the signature. */
  redacted?: true
}

/** An image, a file or audio. Exactly one of `url`, `base64`, `file`, `text` is set. */
export type MediaPart = PartBase & {
  type: 'media'
  /** `image/*` or `audio/*` if only the kind is known, `application/octet-stream` if nothing is. */
  mime: string
  url?: string
  base64?: string
  /** The vendor's id of an uploaded file. */
  file?: string
  /** The content of a plain-text document. */
  text?: string
  name?: string
  /** The resolution at which the model reads an image: `low`, `high`, `auto`, `original`. */
  detail?: string
  /** For generated audio: its transcript, the id for later reference, and the expiry of that id (seconds). */
  transcript?: string
  id?: string
  expiresAt?: number
}

export type ToolCallPart = PartBase & {
  type: 'tool-call'
  id: string
  name: string
  /** JSON text that is never parsed here; any text for a custom tool; '' for no input. */
  input: string
  custom?: true
  signature?: Signature
}

export type ToolResultPart = PartBase & {
  type: 'tool-result'
  /** The id of the call. */
  id: string
  /** The name of the tool, if the dialect sends it. */
  name?: string
  parts: Part[]
  failed?: true
  custom?: true
}

/** A block that canon does not model: server tools and their results, containers, compaction. */
export type OpaquePart = PartBase & {
  type: 'opaque'
  dialect: DialectId
  value: unknown
  /** Text that arrived in chunks. `value` does not contain it; the encoder inserts it into the field of its type. */
  streamedText?: string
}

export type Part = TextPart | ThinkingPart | MediaPart | ToolCallPart | ToolResultPart | OpaquePart

/**
 * `system` and `developer` may be anywhere; a dialect with a separate field for them moves only the leading ones there.
 * `tool` contains results only; a dialect without that role puts them into a `user` message.
 */
export type Role = 'system' | 'developer' | 'user' | 'assistant' | 'tool'

export type Message = { role: Role; parts: Part[]; name?: string; unknownFields?: UnknownFields }

export type Tool =
  | (PartBase & {
      type: 'function'
      name: string
      description?: string
      /** JSON Schema of the input. */
      schema?: unknown
      strict?: boolean
    })
  /** Takes text as input, perhaps by a grammar. */
  | (PartBase & { type: 'custom'; name: string; description?: string; format?: unknown })
  | { type: 'opaque'; dialect: DialectId; value: unknown }

export type ToolChoice =
  | { type: 'auto' | 'none' | 'required' }
  | { type: 'tool'; name: string; custom?: true }
  /** Only the tools of these names. */
  | { type: 'allowed'; mode: 'auto' | 'required'; names: string[] }
  | { type: 'opaque'; dialect: DialectId; value: unknown }

export type ResponseFormat =
  | { type: 'text' }
  /** Any JSON object. */
  | { type: 'json' }
  | {
      type: 'schema'
      schema: unknown
      name?: string
      description?: string
      strict?: boolean
      unknownFields?: UnknownFields
    }

/** The requested reasoning effort, in the terms of the caller's dialect. Encoders convert between the terms. */
export type Reasoning = {
  mode?: 'enabled' | 'adaptive' | 'disabled'
  /** One of none, minimal, low, medium, high, xhigh, max. */
  effort?: string
  /** In tokens; -1 lets the model choose. */
  budget?: number
  /** How much of the reasoning is returned: `auto`, `concise`, `detailed`, or `none`. */
  summary?: string
  unknownFields?: UnknownFields
}

/** A chat request. Limits are in tokens. */
export type ChatRequest = {
  model: string
  messages: Message[]
  stream?: boolean
  tools?: Tool[]
  toolChoice?: ToolChoice
  parallelTools?: boolean
  outputMax?: number
  temperature?: number
  topP?: number
  topK?: number
  stop?: string[]
  seed?: number
  n?: number
  presencePenalty?: number
  frequencyPenalty?: number
  /** Requests log probabilities, and of how many alternative tokens. */
  logprobs?: { top?: number }
  format?: ResponseFormat
  reasoning?: Reasoning
  verbosity?: string
  /** Allowed output kinds: `text`, `audio`, `image`. */
  modalities?: string[]
  /** Voice and format of audio output, as the caller's dialect writes them. */
  audio?: Record<string, unknown>
  metadata?: Record<string, unknown>
  /** The caller's id for its own user. */
  user?: string
  safetyId?: string
  tier?: string
  store?: boolean
  cacheKey?: string
  cacheRetention?: string
  /** OpenAI's choice of what is cached and how long. */
  cacheOptions?: Record<string, unknown>
  /** The vendor caches the whole prompt, without marks on its parts. */
  cache?: CacheControl
  unknownFields?: UnknownFields
}

export type FinishReason =
  | 'stop'
  | 'stop-sequence'
  | 'length'
  | 'tools'
  | 'filter'
  | 'refusal'
  /** The vendor paused a long turn of a server tool. The caller continues by sending the response back. */
  | 'pause'
  | 'context-full'
  | 'error'
  /** `unknownFields` has the dialect's own reason. */
  | 'other'

/** `sequence`: the stop sequence that ended the text. */
export type Finish = { reason: FinishReason; sequence?: string; unknownFields?: UnknownFields }

/** One of the alternative responses; most requests have one. */
export type Choice = { parts: Part[]; finish?: Finish; unknownFields?: UnknownFields }

/** Usage that a vendor reported, converted and in its original form. `broken`: its figures are no valid counts. */
export type ReportedUsage = { usage?: Usage | 'broken'; unknownFields?: UnknownFields }

export type ChatAnswer = {
  id: string
  model: string
  /** Unix seconds. */
  createdAt?: number
  /** The service tier that processed the request. */
  tier?: string
  choices: Choice[]
  reportedUsage?: ReportedUsage
  unknownFields?: UnknownFields
}

/** An error that the upstream returned, or sent within a response, in the vendor's own words. */
export type Failure = { message: string; type: string; code: string; unknownFields?: UnknownFields }

/**
 * An event of a streamed response. `part` starts a part, possibly with content. `delta`, `transcript`, `signature` and
 * `citation` extend the latest part of their choice, whose `index` they carry. A part is complete when the next `part` of
 * its choice or `finish` arrives. `index` counts from 0 without gaps; `choice` is absent for choice 0. Each `usage`
 * replaces the one before.
 */
export type ChatEvent =
  | {
      type: 'start'
      id: string
      model: string
      createdAt?: number
      tier?: string
      /** Usage known before the first output: the prompt. */
      reportedUsage?: ReportedUsage
      unknownFields?: UnknownFields
    }
  | { type: 'part'; choice?: number; index: number; part: Part }
  | { type: 'delta'; choice?: number; index: number; text: string; logprobs?: Logprob[] }
  /** More of the transcript of generated audio. */
  | { type: 'transcript'; choice?: number; index: number; text: string }
  | { type: 'signature'; choice?: number; index: number; signature: Signature }
  | { type: 'citation'; choice?: number; index: number; citation: Citation }
  | { type: 'usage'; reportedUsage: ReportedUsage }
  | { type: 'finish'; choice?: number; finish: Finish }
  /** Late fields of a part (`index`), of a choice (`choice`), or of the whole response (neither). */
  | { type: 'unknown-fields'; choice?: number; index?: number; unknownFields: UnknownFields }
  /** A frame that adds nothing to the answer, such as the progress of a server tool. */
  | { type: 'opaque'; dialect: DialectId; name: string; value: unknown }
  /** No event follows it. */
  | { type: 'failure'; failure: Failure }
  | { type: 'end' }

/**
 * Encodes a signature for a field of dialect `own`. A signature of another dialect gets the prefix `<dialect>:`, which is
 * unambiguous because Base64 contains no colon.
 */
export const encodeSignature = ({ dialect, text }: Signature, own: DialectId): string =>
  dialect === own ? text : `${dialect}:${text}`

/** Inverse of `encodeSignature`. Text without the prefix of a known dialect is a signature of `own`. */
export const decodeSignature = (text: string, own: DialectId): Signature => {
  const colon = text.indexOf(':')
  const dialect = colon > 0 ? text.slice(0, colon) : own
  return isDialectId(dialect) && colon > 0
    ? { dialect, text: text.slice(colon + 1) }
    : { dialect: own, text }
}

const isDialectId = (name: string): name is DialectId => dialectIds.has(name)

const dialectIds: ReadonlySet<string> = new Set<DialectId>([
  'openai-chat',
  'openai-responses',
  'anthropic',
  'gemini',
  'converse',
])
