import type { DialectId } from './dialect-id.ts'
import type { Usage } from './usage.ts'

/**
 * What every dialect means, said once. Small on purpose: a part, an event and a field stand here because at least two
 * dialects have them, or because a recorded answer of a vendor cannot be told without them. Everything else travels in
 * `extra` and `opaque`, which survive in their own dialect and become notes in another.
 */

/** Fields of one dialect that canon does not model, as they stood in their object. */
export type UnknownFields = { dialect: DialectId; fields: Record<string, unknown> }

/** What an encoder could not say. It goes to the request log; nothing is left out in silence. */
export type Warning = { dropped: string; dialect: DialectId }

/** A signature or encrypted reasoning that only its own dialect can read; byte for byte. */
export type Signature = { dialect: DialectId; text: string }

/** "Remember the prompt up to here." Without a time the vendor's own applies (five minutes). */
export type CacheControl = { ttl?: '5m' | '1h' }

/** Where a sentence has its source. `raw`: the dialect's own object, which its encoder writes back as it was. */
export type Citation = {
  url?: string
  title?: string
  /** The words of the source. */
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
  /** The model's own words for "no". */
  refusal?: true
  citations?: Citation[]
  logprobs?: Logprob[]
  signature?: Signature
}

export type ThinkingPart = PartBase & {
  type: 'thinking'
  text: string
  signature?: Signature
  /** The vendor keeps the text to itself; only the proof is there. */
  redacted?: true
}

/** An image, a file, a sound. One of `url`, `base64`, `file`, `text` is there. */
export type MediaPart = PartBase & {
  type: 'media'
  /** Where only the kind is known: `image/*`, `audio/*`; where nothing is: `application/octet-stream`. */
  mime: string
  url?: string
  base64?: string
  /** The vendor's id of an uploaded file. */
  file?: string
  /** A document that is plain text. */
  text?: string
  name?: string
  /** How closely an image is looked at: `low`, `high`, `auto`, `original`. */
  detail?: string
  /** What is said in a sound that the model made, the id under which it can be named later, and until when (seconds). */
  transcript?: string
  id?: string
  expiresAt?: number
}

export type ToolCallPart = PartBase & {
  type: 'tool-call'
  id: string
  name: string
  /** JSON text, never parsed on the way; of a custom tool: any text. '' where the model gave nothing. */
  input: string
  custom?: true
  signature?: Signature
}

export type ToolResultPart = PartBase & {
  type: 'tool-result'
  /** Of the call. */
  id: string
  /** Of the tool, where the dialect says it. */
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
  /** What of it came in pieces: the dialect says which field of `value` it is, and takes that field out of it. */
  streamedText?: string
}

/** Six kinds. */
export type Part = TextPart | ThinkingPart | MediaPart | ToolCallPart | ToolResultPart | OpaquePart

/**
 * `system` and `developer` may stand anywhere; a dialect with a place of its own for them takes the leading ones there.
 * `tool` holds results only; a dialect without that role puts them into the `user` message that they make.
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
  /** Its input is a text, perhaps by a grammar. */
  | (PartBase & { type: 'custom'; name: string; description?: string; format?: unknown })
  | { type: 'opaque'; dialect: DialectId; value: unknown }

export type ToolChoice =
  | { type: 'auto' | 'none' | 'required' }
  | { type: 'tool'; name: string; custom?: true }
  /** Only these, by name. */
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

/** How much the model thinks, in the words of whichever dialect asked; an encoder turns one into the other. */
export type Reasoning = {
  mode?: 'enabled' | 'adaptive' | 'disabled'
  /** none, minimal, low, medium, high, xhigh, max. */
  effort?: string
  /** In tokens; -1 lets the model choose. */
  budget?: number
  /** What of it is shown: `auto`, `concise`, `detailed`; `none` where it must not be. */
  summary?: string
  unknownFields?: UnknownFields
}

/** What a caller asks a model for. Times in seconds, limits in tokens. */
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
  /** Whether to tell them, and for how many other tokens. */
  logprobs?: { top?: number }
  format?: ResponseFormat
  reasoning?: Reasoning
  verbosity?: string
  /** What the answer may be: `text`, `audio`, `image`. */
  modalities?: string[]
  /** The voice and the format of a spoken answer, as the caller's dialect says them. */
  audio?: Record<string, unknown>
  metadata?: Record<string, unknown>
  /** Who asks, as the caller names its own user. */
  user?: string
  safetyId?: string
  tier?: string
  store?: boolean
  cacheKey?: string
  cacheRetention?: string
  /** The whole prompt is remembered, without marks on its parts. */
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
  /** A server tool takes longer: the caller sends the answer back to go on. */
  | 'pause'
  | 'context-full'
  | 'error'
  /** Something else; `extra` has the dialect's own word. */
  | 'other'

export type Finish = { reason: FinishReason; sequence?: string; unknownFields?: UnknownFields }

/** One of the answers; most requests have one. */
export type Choice = { parts: Part[]; finish?: Finish; unknownFields?: UnknownFields }

/** What a vendor told of the call's use: our classes, and its own object for its own dialect. */
export type ReportedUsage = { usage?: Usage | 'broken'; unknownFields?: UnknownFields }

export type ChatReply = {
  id: string
  model: string
  /** In seconds. */
  createdAt?: number
  /** The service tier that was used. */
  tier?: string
  choices: Choice[]
  reportedUsage?: ReportedUsage
  unknownFields?: UnknownFields
}

/** An error that the upstream told in place of an answer, or within one. */
export type Failure = { message: string; type: string; code: string; unknownFields?: UnknownFields }

/**
 * A part opens (perhaps already whole), grows by deltas, and ends when the next one of its choice opens: a delta, a
 * proof or a citation always belongs to the part of its choice that opened last. `index` counts the parts of a choice,
 * from 0 and without gaps; `choice` is absent for the first. `usage` is what is used so far: the last one counts.
 */
export type ChatEvent =
  | {
      type: 'start'
      id: string
      model: string
      createdAt?: number
      tier?: string
      /** What is used before the first word: the prompt. */
      reportedUsage?: ReportedUsage
      unknownFields?: UnknownFields
    }
  | { type: 'part'; choice?: number; index: number; part: Part }
  | { type: 'delta'; choice?: number; index: number; text: string; logprobs?: Logprob[] }
  /** More of what is said in a sound. */
  | { type: 'transcript'; choice?: number; index: number; text: string }
  | { type: 'signature'; choice?: number; index: number; signature: Signature }
  | { type: 'citation'; choice?: number; index: number; citation: Citation }
  | { type: 'usage'; reportedUsage: ReportedUsage }
  | { type: 'finish'; choice?: number; finish: Finish }
  /** Fields that came later: of a part (index), of a choice, or of the whole answer (neither). */
  | { type: 'unknown-fields'; choice?: number; index?: number; unknownFields: UnknownFields }
  /** A frame without meaning for the answer's sum: progress of a server tool. */
  | { type: 'opaque'; dialect: DialectId; name: string; value: unknown }
  /** Nothing comes after it. */
  | { type: 'failure'; failure: Failure }
  | { type: 'end' }

/** A foreign proof inside a field for an own one: base64 has no colon, so its name in front cannot be part of it. */
export const encodeSignature = ({ dialect: by, text }: Signature, own: DialectId): string =>
  by === own ? text : `${by}:${text}`

export const decodeSignature = (text: string, own: DialectId): Signature => {
  const colon = text.indexOf(':')
  const by = colon > 0 ? text.slice(0, colon) : own
  return isDialectId(by) && colon > 0
    ? { dialect: by, text: text.slice(colon + 1) }
    : { dialect: own, text }
}

const isDialectId = (name: string): name is DialectId => names.has(name)

const names: ReadonlySet<string> = new Set<DialectId>([
  'openai-chat',
  'openai-responses',
  'anthropic',
  'gemini',
  'converse',
])
