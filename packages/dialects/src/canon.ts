import type { DialectId } from './dialect-id.ts'
import type { Usage } from './usage.ts'

/**
 * The meaning that dialects share. A part, event or field is here if two dialects have it, or a recorded vendor response
 * needs it. The rest travels in `unknownFields` and opaque parts: its own dialect restores it, others warn about it.
 */

/** Fields of one dialect that canon does not model, unchanged. */
export type UnknownFields = { dialect: DialectId; fields: Record<string, unknown> }

/** A feature that an encoder could not express. The request log lists it, so that nothing is lost silently. */
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
  /** Characters [start, end) of the text part. */
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
  /** The text that arrived in chunks. The dialect knows the field of `value` to which it belongs, and leaves it out there. */
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

/** A chat request. Times in seconds, limits in tokens. */
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
  /** A server tool runs longer: the caller sends the response back to continue. */
  | 'pause'
  | 'context-full'
  | 'error'
  /** `unknownFields` has the dialect's own reason. */
  | 'other'

export type Finish = { reason: FinishReason; sequence?: string; unknownFields?: UnknownFields }

/** One of the alternative responses; most requests have one. */
export type Choice = { parts: Part[]; finish?: Finish; unknownFields?: UnknownFields }

/** The usage that a vendor reported: as our classes, and as its own object for its own dialect. */
export type ReportedUsage = { usage?: Usage | 'broken'; unknownFields?: UnknownFields }

export type ChatReply = {
  id: string
  model: string
  /** In seconds. */
  createdAt?: number
  /** The service tier that processed the request. */
  tier?: string
  choices: Choice[]
  reportedUsage?: ReportedUsage
  unknownFields?: UnknownFields
}

/** An error that the upstream returned, or sent within a response. */
export type Failure = { message: string; type: string; code: string; unknownFields?: UnknownFields }

/**
 * A part opens, perhaps already complete, grows by deltas, and ends when the next part of its choice opens. A delta,
 * signature or citation belongs to the part of its choice that opened last. `index` counts the parts of a choice from 0
 * without gaps; `choice` is absent for the first. `usage` is cumulative: the last one counts.
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
  /** A frame that adds nothing to the reply, such as the progress of a server tool. */
  | { type: 'opaque'; dialect: DialectId; name: string; value: unknown }
  /** No event follows it. */
  | { type: 'failure'; failure: Failure }
  | { type: 'end' }

/** Puts a foreign signature into an own field. Base64 contains no colon, so the dialect name before one is unambiguous. */
export const encodeSignature = ({ dialect, text }: Signature, own: DialectId): string =>
  dialect === own ? text : `${dialect}:${text}`

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
