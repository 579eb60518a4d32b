import type { ChatEvent, ChatReply, ChatRequest, Warning } from './canon.ts'
import type { CallerDialectId, DialectId } from './dialect-id.ts'
import type { Embeddings } from './embeddings/canon.ts'
import type { Usage } from './usage.ts'

/** Where the value of a top-level key stands in the body: bytes [start, end), and where the key itself begins. */
export type ByteRange = { keyStart: number; start: number; end: number }

/** The few facts that choosing, holding and billing need, read in one pass without building canon. */
export type ParsedRequest = {
  model: string
  /** What stood after a `#` in the model's name; the name does not have it any more. */
  modelSuffix?: string
  stream: boolean
  /** The caller's own limit on the answer's tokens; undefined: none given. */
  outputMax: number | undefined
  /** How many answers; at least 1. */
  n: number
  hasTools: boolean
  /** The caller asked to be told the usage at the end of the stream. */
  wantsUsage: boolean
  /** A cautious estimate without a tokenizer: long base64 strings count as one image each. */
  promptTokens: number
  /** How many of them are for images and other media; absent: none. */
  mediaTokens?: number
  /** Many are asked for at once, for which a vendor may have an address of its own. */
  isBatch?: boolean
  /** What it means for the answers that its vendor keeps; absent where the dialect has none. */
  state?: StateParams
  /** Top-level keys. A law: bytes outside an edit are identical. */
  fieldRanges: ReadonlyMap<string, ByteRange>
  body: Buffer
}

/** What a call has to do with answers that a vendor keeps. */
export type StateParams = {
  /** The vendor keeps this answer, so that it can be asked for by its id. */
  store: boolean
  /** The call ends before its answer is made. */
  background: boolean
  /** The kept answer that this one goes on from. */
  previousResponseId: string | undefined
  conversationId: string | undefined
  /** Items of kept answers are named in place of being said. */
  hasItemReferences: boolean
}

/** What stands in the path and not in the body, for a dialect that keeps it there. */
export type PathParams = { model: string; stream: boolean; action?: string }

/** Why a body cannot be read. The relay turns it into a fault in the caller's dialect. */
export type Unreadable = {
  reason: 'unreadable' | 'invalid' | 'ambiguous' | 'too-deep'
  hint: string
}
export type ReadResult = { ok: true; parsed: ParsedRequest } | ({ ok: false } & Unreadable)

/** Top-level changes by splicing: `undefined` removes a key. */
export type Edits = Record<string, unknown>

/** Listens to a stream that is passed through, and holds back what may not go yet. */
export type StreamObserver = {
  /**
   * Bytes that may go to the caller now, in order. Held back: the closing frame (until the charge is durable), a
   * usage-only frame the caller had not asked for (for ever), and the part of a frame that might still become one.
   */
  push(chunk: Buffer): readonly Buffer[]
  /** The upstream's bytes ended. For a dialect without a closing frame only this ends a stream: whether it is a good end. */
  end?(): boolean
  /** The stream said its own end: a closing frame came. */
  isClosed(): boolean
  /** What was held back for after the charge: the closing frame, and what came with it. */
  tail(): Buffer
  /** Output tokens delivered so far by the dialect's own cheap meter. */
  meteredTokens(): number
  /** What the upstream reported, once it did; `broken` where it cannot be believed (negative, huge, not whole). */
  usage(): Usage | 'broken' | undefined
  /** An error that the upstream told inside the stream, as its JSON. */
  failure(): unknown
  /** Frames that were not what this dialect sends. */
  malformedFrames(): number
  /** The id of the answer, once the stream said it; absent where the dialect's vendor keeps no answers. */
  responseId?(): string | undefined
  /** What of the stream could not be told to the caller; absent where it passes through. */
  warnings?(): readonly Warning[]
}

/** What a whole answer says. */
export type ReplySummary =
  | {
      ok: true
      usage: Usage | 'broken' | undefined
      /** Output tokens by the dialect's own cheap meter; where usage is reported nobody asks, and it may be 0. */
      meteredTokens: number
      responseId?: string | undefined
    }
  | { ok: false; failure: unknown }

/** A fault ready to be told: the code, the sentence and the request id are ours, the shape is the dialect's. */
export type ErrorInfo = {
  code: string
  status: number
  message: string
  requestId: string
  /** Before that it makes no sense to ask again. */
  retryAfterSeconds?: number
}

/** What a limit says now: how many at most, how many are left, and when it is whole again. */
export type RateLimitStatus = {
  unit: 'requests' | 'tokens'
  limit: number
  remaining: number
  resetSeconds: number
}

/** What passing through needs: no canon is built. */
type PassThrough = {
  id: CallerDialectId
  read(body: Buffer, named?: PathParams): ReadResult
  /** The body with these top-level keys changed. Everything else is the same bytes. */
  splice(ask: ParsedRequest, edits: Edits): Buffer
  /** The edits that make an upstream report usage at the end of a stream, if this dialect needs any. */
  usageEdits(ask: ParsedRequest): Edits
  observeStream(ask: ParsedRequest): StreamObserver
  readReply(body: Buffer): ReplySummary
  /** A whole answer in the form that was asked for, where vendors may answer in another; else the same bytes. */
  normalizeReply?(ask: ParsedRequest, body: Buffer): Buffer
  /** Usage from the dialect's own usage object. */
  decodeUsage(usage: unknown): Usage | 'broken'
  /** A message, type and code out of an upstream's refusal, whatever its shape. */
  decodeFault(body: Buffer): {
    message: string
    type: string
    code: string
    /** Where the body says it: when to come again. */
    retryAfterSeconds?: number
  }
  encodeFault(told: ErrorInfo): { status: number; headers: Record<string, string>; body: string }
  /** The same inside a started stream, as bytes of one frame. */
  encodeFaultEvent(told: ErrorInfo): string
  /** Headers that tell a caller of a limit, name and value in turn; absent where the vendor has none. `now` in ms. */
  limitHeaders?(allowance: RateLimitStatus, now: number): string[]
  /** Where its clients look for the request's id; absent: `x-request-id`, which every answer has. */
  requestIdHeader?: string
  /** A frame that means nothing to the caller; '' where its dialect has none. */
  ping: string
  /** The same before the first event, where the dialect's clients take no other event there; absent: `ping`. */
  pingBeforeFirstEvent?: string
  /** Content type of its streams; absent: `text/event-stream`. */
  streamContentType?: string
  /** Fields that mean something its vendor keeps: without them the answer would be to another question. */
  statefulFields?: readonly string[]
}

/** What only the gateway knows when a request is told in another dialect. Absent: the dialect's own defaults. */
export type EncodeRequestOptions = {
  /** `ClaudeDefaultMaxTokens`: the limit for a model whose caller gave none; `default` is for the rest. */
  defaultOutputMax?: Readonly<Record<string, number>>
  /** `ClaudeBudgetTokensPercentage`: the share of the limit that thinking may use. */
  thinkingBudgetShare?: number
  /** The operator lets fields go on that only the caller's dialect knows. */
  keepUnknownFields?: boolean
}

/** How an answer is told: what the caller asked for, and the clock's word. */
export type EncodeOptions = {
  request?: ChatRequest
  wantsUsage?: boolean
  /** In seconds, for a dialect that tells it, where the upstream did not. */
  createdAt?: number
  /** Streams of gemini without `alt=sse` are one JSON array. */
  streamFormat?: 'sse' | 'array'
}

export type Encoded = { body: Record<string, unknown>; warnings: Warning[] }
export type RequestResult = { ok: true; request: ChatRequest } | ({ ok: false } & Unreadable)

/**
 * Hears a stream frame by frame and says what it means, to the function it was made with. Never throws: what is no frame
 * of the dialect is counted and left out.
 */
export type StreamDecoder = {
  /** `event`: the frame's name, '' where it has none. Lines that carry no data are not frames. */
  pushFrame(data: string, event: string): void
  /** The bytes are at their end. Says `end` if that was not said and the answer is whole, else `failure`. */
  end(): void
  malformedFrames(): number
}

/**
 * Tells a stream: each event gives the bytes that go to the caller, '' for none. `end` and `failure` write what ends the
 * stream, whatever came before; after them nothing is written.
 */
export type StreamEncoder = { push(event: ChatEvent): string; warnings: readonly Warning[] }

/** What a count of a prompt asks and answers, where the dialect has an operation for it. */
export type TokenCounting = {
  decodeRequest(body: unknown, named?: PathParams): RequestResult
  encodeRequest(request: ChatRequest): Encoded
  decodeReply(body: unknown): number | undefined
  encodeReply(tokens: number): Record<string, unknown>
}

/** What translating needs: both halves of both directions. Each decoder undoes what its encoder does. */
type Translation = {
  decodeRequest(body: unknown, named?: PathParams): RequestResult
  encodeRequest(request: ChatRequest, aim?: EncodeRequestOptions): Encoded
  decodeReply(body: unknown): ChatReply
  encodeReply(reply: ChatReply, manner?: EncodeOptions): Encoded
  decodeFrames(emit: (event: ChatEvent) => void): StreamDecoder
  encodeEvents(manner?: EncodeOptions): StreamEncoder
  tokenCounting?: TokenCounting
  /** Present: what is asked for in these words are embeddings, and no chat. */
  embeddings?: Embeddings
}

export type Dialect = PassThrough & Translation

/** The upstream half: what a format owes that a vendor speaks and no caller. Every dialect has it. */
export type UpstreamDialect = Pick<
  PassThrough,
  'read' | 'splice' | 'usageEdits' | 'readReply' | 'decodeUsage' | 'decodeFault'
> &
  Pick<Translation, 'encodeRequest' | 'decodeReply' | 'decodeFrames'> & { id: DialectId }
