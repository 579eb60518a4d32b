import type { ChatAnswer, ChatEvent, ChatRequest, Warning } from './canon.ts'
import type { CallerDialectId, DialectId, FormatId } from './dialect-id.ts'
import type { Embeddings } from './embeddings/canon.ts'
import type { Emptiness } from './empty-answers/emptiness.ts'
import type { Mark } from './marks/mark.ts'
import type { Edits, ParsedRequest, PathParams, ReadResult, Unreadable } from './parsed-request.ts'
import type { AnswerIds } from './references/answer-ids.ts'
import type { ToolCounts, Usage } from './usage.ts'
import type { LinkedMedia } from './vendor-rules/linked-media.ts'

/** Observes a stream that passes through, and holds back the bytes that the caller may not receive yet. */
export type StreamObserver = {
  /**
   * Returns the bytes to forward now, in order. It holds back the closing frame until the charge is durable, and any
   * incomplete frame. It removes a usage-only frame that the caller did not request.
   */
  push(chunk: Buffer): readonly Buffer[]
  /** Ends a stream whose dialect has no closing frame. Returns whether the stream is complete. */
  end?(): boolean
  /** A closing frame has arrived. */
  isClosed(): boolean
  /** The output so far may be the whole answer: the upstream reported its finish, or the end of a part. */
  mayBeComplete(): boolean
  /** The bytes held back until the charge: the closing frame, and what arrived with it. */
  tail(): Buffer
  /** Output tokens forwarded so far, by the meter of `meter.ts`. */
  meteredTokens(): number
  /** The part of them that is audio; absent where the answer has none. */
  audioTokens?(): number
  /**
   * How the answer ended so far without output; undefined once it has some. Absent where every event but an error is output.
   */
  emptiness?(): Emptiness | undefined
  /** Output tokens without visible reasoning, which some vendors do not count against the requested limit. */
  answerTokens?(): number
  /** The finished calls so far of tools that are sold by the call; absent in a dialect without them. */
  tools?(): ToolCounts
  /** The usage reported by the upstream; `broken` if a count is negative, huge or no whole number. */
  usage(): Usage | 'broken' | undefined
  /** The decoded JSON of an error that the upstream sent inside the stream. */
  failure(): unknown
  /**
   * The decoded JSON of an error that the request itself causes, where the vendor's own frame of it is the closing one. It
   * is none of `failure`.
   */
  requestFailure?(): unknown
  /** The number of frames that are not valid in this dialect. */
  malformedFrames(): number
  /** The response id once a frame had one; absent in a dialect without stored responses. */
  responseId?(): string | undefined
  /** The ids so far by which later requests may name parts of the answer; absent where there are none. */
  answerIds?(): AnswerIds
  /** Features that the caller's dialect cannot express; absent where the stream passes through. */
  warnings?(): readonly Warning[]
}

/** The content of a complete response that billing and storage need. */
export type AnswerSummary =
  | {
      ok: true
      usage: Usage | 'broken' | undefined
      /** Output tokens by the meter of `meter.ts`. May be 0 where usage is reported, because it is not needed there. */
      meteredTokens: number
      /** How an answer without output ended; undefined where it has some, or where that is not looked for. */
      emptiness?: Emptiness | undefined
      responseId?: string | undefined
      /** Reads the ids by which later requests may name parts of the answer; absent where there are none. */
      answerIds?: (() => AnswerIds) | undefined
    }
  | { ok: false; failure: unknown }

/** An error to encode. Code, message and request id are the gateway's; the format is the dialect's. */
export type ErrorInfo = {
  code: string
  status: number
  message: string
  requestId: string
  /** A retry before this time fails. */
  retryAfterSeconds?: number
}

/** The state of one rate limit, for the response headers. */
export type RateLimitStatus = {
  unit: 'requests' | 'tokens'
  limit: number
  remaining: number
  resetSeconds: number
}

/** An upstream's error as its body words it. */
export type DecodedFault = {
  message: string
  type: string
  code: string
  /** Only where the body states it. */
  retryAfterSeconds?: number
}

/**
 * The format of one operation as its callers use it: enough to forward bytes, to charge the call and to write errors. A
 * dialect is a format that can also be translated through canon.
 */
export type CallerFormat = {
  id: FormatId
  read(body: Buffer, pathParams?: PathParams): ReadResult
  /** Changes top-level fields. All other bytes stay as they are. */
  splice(parsed: ParsedRequest, edits: Edits): Buffer
  /** The edits that make an upstream report usage at the end of a stream, if this format needs any. */
  usageEdits?(parsed: ParsedRequest): Edits
  /**
   * The body with a limit on the output tokens of each answer, for a caller who named none; all other bytes stay. Absent
   * where the operation has no such field.
   */
  limitOutput?(
    parsed: Pick<ParsedRequest, 'body' | 'fieldRanges'>,
    limit: number,
    upstreamModel: string,
  ): Buffer
  /** The limit that a translated request without one is written with, where the vendor requires one. */
  defaultOutputMax?(model: string, limits?: Readonly<Record<string, number>>): number
  /** The edits that remove a client's own line to its vendor from the prompt; absent where clients write none. */
  attributionEdits?(parsed: Pick<ParsedRequest, 'body' | 'fieldRanges'>): Edits
  /** Absent where the operation is never streamed. */
  observeStream?(parsed: ParsedRequest): StreamObserver
  /** Reads the usage of a whole answer. `contentType` matters where an answer may be no JSON. */
  readAnswer(body: Buffer, contentType?: string): AnswerSummary
  /** Converts a complete response to the requested format, where vendors may return another; else the same buffer. */
  normalizeAnswer?(parsed: ParsedRequest, body: Buffer): Buffer
  /** Decodes the usage object of the dialect. */
  decodeUsage(usage: unknown): Usage | 'broken'
  /** Reads message, type and code from an upstream's error response of any shape. */
  decodeFault(body: Buffer): DecodedFault
  encodeFault(error: ErrorInfo): { status: number; headers: Record<string, string>; body: string }
  /** Encodes the error as one frame of a stream that has begun. */
  encodeFaultEvent(error: ErrorInfo): string
  /** Rate limit headers, name and value in turn; absent where the vendor has none. `now` in milliseconds. */
  limitHeaders?(status: RateLimitStatus, now: number): string[]
  /** The prefix of every id of an answer, which clients check; absent where they check none. */
  answerIdPrefix?: string
  /** The response header in which clients look for the request id; absent for `x-request-id`, which is always set. */
  requestIdHeader?: string
  /** A frame that clients ignore; '' where the dialect has none. */
  ping: string
  /** The ping before the first event, where clients accept no other event there; absent for `ping`. */
  pingBeforeFirstEvent?: string
  /** The content type of streams; absent for `text/event-stream`. */
  streamContentType?: string
  /** Fields that refer to state at the vendor. An upstream without that state would answer another question. */
  statefulFields?: readonly string[]
  /** A whole answer is a file, which is forwarded as it arrives. */
  answersBytes?: boolean
  /** A whole answer may be plain text, which may look like anything. */
  answersText?: boolean
  /** Clients of the format may show nothing but text, so that thoughts can be written as text for them. */
  mayShowThoughts?: boolean
  /** Tokens of a second of sound in an answer; absent for OpenAI's. */
  audioTokensPerSecond?: number
  /** Splits a whole answer into events, for vendors that ignore `stream`; absent where that is an invalid answer. */
  splitAnswer?(body: Buffer): Buffer
  /** Converts from and to the form that translations of the operation expect; absent where the format is that form. */
  canon?: {
    decodeRequest(body: Json): Json
    encodeResponse(answer: Json, request: Json): Json
  }
}

type Json = Record<string, unknown>

/** The upstream half of a format. */
export type UpstreamFormat = Pick<
  CallerFormat,
  | 'id'
  | 'splice'
  | 'usageEdits'
  | 'defaultOutputMax'
  | 'attributionEdits'
  | 'readAnswer'
  | 'decodeFault'
  | 'answersBytes'
  | 'answersText'
>

/** Settings of the gateway for a request that is encoded in another dialect; absent for the dialect's own defaults. */
export type EncodeRequestOptions = {
  /** Setting `ClaudeDefaultMaxTokens`: the output limit by model, for callers that set none; `default` for the rest. */
  defaultOutputMax?: Readonly<Record<string, number>>
  /** Setting `ClaudeBudgetTokensPercentage`: the share of the output limit that thinking may use. */
  thinkingBudgetShare?: number
  /** Forwards the fields that only the caller's dialect defines. */
  keepUnknownFields?: boolean
}

/** How to encode a response: what the caller requested, and the time. */
export type EncodeOptions = {
  request?: ChatRequest
  wantsUsage?: boolean
  /** In seconds; used where the upstream sent no time. */
  createdAt?: number
  /** The time at the end of the answer, in seconds; absent for `createdAt`. */
  now?(): number
  /** Gemini without `alt=sse` streams one JSON array. */
  streamFormat?: 'sse' | 'array'
  /** Stands in what is no vendor's own. Set where the answer is a summary that compacts the conversation. */
  summaryMark?: Mark | undefined
}

export type Encoded = {
  body: Record<string, unknown>
  warnings: Warning[]
  /** A feature without which the answer would be a wrong one; the caller reads this sentence. */
  refusal?: string
}
export type RequestResult = { ok: true; request: ChatRequest } | ({ ok: false } & Unreadable)

/** Decodes a stream frame by frame and emits canon events. Never throws: it counts malformed frames and skips them. */
export type StreamDecoder = {
  /** `event` is the name of the frame, '' for none. Frames without data are not passed in. */
  pushFrame(data: string, event: string): void
  /** Ends the stream. Emits `end` if the response is complete and no frame ended it, else `failure`. */
  end(): void
  /** As in `StreamObserver`. */
  mayBeComplete(): boolean
  tools?(): ToolCounts
  malformedFrames(): number
}

/**
 * Encodes events as the bytes for the caller, '' for none. `end` and `failure` end the stream after any other event.
 * It writes nothing after them.
 */
export type StreamEncoder = { push(event: ChatEvent): string; warnings: readonly Warning[] }

/** Encodes and decodes the operation that counts the tokens of a prompt. */
export type TokenCounting = {
  decodeRequest(body: unknown, pathParams?: PathParams): RequestResult
  encodeRequest(request: ChatRequest): Encoded
  decodeAnswer(body: unknown): number | undefined
  encodeResponse(tokens: number): Record<string, unknown>
}

/** The half of a dialect that translates through canon. Each decoder is the inverse of its encoder. */
type Translation = {
  decodeRequest(body: unknown, pathParams?: PathParams): RequestResult
  /** The dialect has no place for this address, or its vendor refuses it: `encodeRequest` expects the content instead. */
  needsBytes?(part: LinkedMedia): boolean
  encodeRequest(request: ChatRequest, options?: EncodeRequestOptions): Encoded
  /** Rewrites tools that only this dialect can group as plain ones; absent where tools have no groups. */
  flattenTools?(request: ChatRequest): ChatRequest
  /** Rewrites a request to compact a conversation as one for a summary; undefined for any other request. */
  summaryRequest?(request: ChatRequest): ChatRequest | undefined
  decodeAnswer(body: unknown): ChatAnswer
  encodeResponse(answer: ChatAnswer, options?: EncodeOptions): Encoded
  decodeFrames(emit: (event: ChatEvent) => void): StreamDecoder
  encodeEvents(options?: EncodeOptions): StreamEncoder
  tokenCounting?: TokenCounting
}

export type Dialect = CallerFormat &
  Required<Pick<CallerFormat, 'usageEdits' | 'observeStream'>> & {
    id: CallerDialectId
  } & Translation

/** The format of embeddings in one dialect, which is translated through a canon of its own. */
export type EmbeddingsFormat = CallerFormat & { id: CallerDialectId; embeddings: Embeddings }

/** The upstream half of a dialect, for a format that vendors accept and callers do not use. */
export type UpstreamDialect = Pick<
  CallerFormat,
  | 'read'
  | 'splice'
  | 'defaultOutputMax'
  | 'usageEdits'
  | 'attributionEdits'
  | 'readAnswer'
  | 'decodeUsage'
  | 'decodeFault'
  | 'audioTokensPerSecond'
> &
  Required<Pick<CallerFormat, 'usageEdits'>> &
  Pick<Translation, 'needsBytes' | 'encodeRequest' | 'decodeAnswer' | 'decodeFrames'> &
  /** Encodes the joined events of a stream, for callers that requested none; absent where vendors never stream unasked. */
  Partial<Pick<Translation, 'encodeResponse'>> & { id: DialectId }
