import type { ChatEvent, ChatReply, ChatRequest, Note } from './canon.ts'
import type { Embeddings } from './embeddings/canon.ts'
import type { Usage } from './usage.ts'

/** What callers may speak. */
export type PublicId = 'openai-chat' | 'openai-responses' | 'anthropic' | 'gemini'
/** And what only upstreams do. */
export type DialectId = PublicId | 'converse'

/** Where the value of a top-level key stands in the body: bytes [start, end), and where the key itself begins. */
export type Place = { keyStart: number; start: number; end: number }

/** The few facts that choosing, holding and billing need, read in one pass without building canon. */
export type Ask = {
  model: string
  /** What stood after a `#` in the model's name; the name does not have it any more. */
  argument?: string
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
  state?: AskedState
  /** Top-level keys. A law: bytes outside an edit are identical. */
  places: ReadonlyMap<string, Place>
  body: Buffer
}

/** What a call has to do with answers that a vendor keeps. */
export type AskedState = {
  /** The vendor keeps this answer, so that it can be asked for by its id. */
  store: boolean
  /** The call ends before its answer is made. */
  background: boolean
  /** The kept answer that this one goes on from. */
  previous: string | undefined
  conversation: string | undefined
  /** Items of kept answers are named in place of being said. */
  refers: boolean
}

/** What stands in the path and not in the body, for a dialect that keeps it there. */
export type Named = { model: string; stream: boolean; action?: string }

/** Why a body cannot be read. The relay turns it into a fault in the caller's dialect. */
export type Unreadable = { why: 'unreadable' | 'invalid' | 'ambiguous' | 'too-deep'; hint: string }
export type ReadResult = { ok: true; ask: Ask } | ({ ok: false } & Unreadable)

/** Top-level changes by splicing: `undefined` removes a key. */
export type Edits = Record<string, unknown>

/** Listens to a stream that is passed through, and holds back what may not go yet. */
export type Tap = {
  /**
   * Bytes that may go to the caller now, in order. Held back: the closing frame (until the charge is durable), a
   * usage-only frame the caller had not asked for (for ever), and the part of a frame that might still become one.
   */
  push(chunk: Buffer): readonly Buffer[]
  /** The upstream's bytes ended. For a dialect without a closing frame only this ends a stream: whether it is a good end. */
  end?(): boolean
  /** The stream said its own end: a closing frame came. */
  closed(): boolean
  /** What was held back for after the charge: the closing frame, and what came with it. */
  tail(): Buffer
  /** Output tokens delivered so far by the dialect's own cheap meter. */
  metered(): number
  /** What the upstream reported, once it did; `broken` where it cannot be believed (negative, huge, not whole). */
  usage(): Usage | 'broken' | undefined
  /** An error that the upstream told inside the stream, as its JSON. */
  failure(): unknown
  /** Frames that were not what this dialect sends. */
  garbage(): number
  /** The id of the answer, once the stream said it; absent where the dialect's vendor keeps no answers. */
  answerId?(): string | undefined
  /** What of the stream could not be told to the caller; absent where it passes through. */
  notes?(): readonly Note[]
}

/** What a whole answer says. */
export type ReplyFacts =
  | {
      ok: true
      usage: Usage | 'broken' | undefined
      /** Output tokens by the dialect's own cheap meter; where usage is reported nobody asks, and it may be 0. */
      metered: number
      answerId?: string | undefined
    }
  | { ok: false; failure: unknown }

/** A fault ready to be told: the code, the sentence and the request id are ours, the shape is the dialect's. */
export type Told = {
  code: string
  status: number
  message: string
  requestId: string
  /** Before that it makes no sense to ask again. */
  retryAfterSeconds?: number
}

/** What a limit says now: how many at most, how many are left, and when it is whole again. */
export type Allowance = {
  of: 'requests' | 'tokens'
  limit: number
  remaining: number
  resetSeconds: number
}

/** What passing through needs: no canon is built. */
type Passing = {
  id: PublicId
  read(body: Buffer, named?: Named): ReadResult
  /** The body with these top-level keys changed. Everything else is the same bytes. */
  splice(ask: Ask, edits: Edits): Buffer
  /** The edits that make an upstream report usage at the end of a stream, if this dialect needs any. */
  askForUsage(ask: Ask): Edits
  tap(ask: Ask): Tap
  readReply(body: Buffer): ReplyFacts
  /** A whole answer in the form that was asked for, where vendors may answer in another; else the same bytes. */
  fit?(ask: Ask, body: Buffer): Buffer
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
  encodeFault(told: Told): { status: number; headers: Record<string, string>; body: string }
  /** The same inside a started stream, as bytes of one frame. */
  encodeFaultEvent(told: Told): string
  /** Headers that tell a caller of a limit, name and value in turn; absent where the vendor has none. `now` in ms. */
  limitHeaders?(allowance: Allowance, now: number): string[]
  /** Where its clients look for the request's id; absent: `x-request-id`, which every answer has. */
  requestIdHeader?: string
  /** A frame that means nothing to the caller; '' where its dialect has none. */
  ping: string
  /** The same before the first event, where the dialect's clients take no other event there; absent: `ping`. */
  pingBefore?: string
  /** Content type of its streams; absent: `text/event-stream`. */
  streamType?: string
  /** Fields that mean something its vendor keeps: without them the answer would be to another question. */
  stateful?: readonly string[]
}

/** What only the gateway knows when a request is told in another dialect. Absent: the dialect's own defaults. */
export type Aim = {
  /** `ClaudeDefaultMaxTokens`: the limit for a model whose caller gave none; `default` is for the rest. */
  outputMaxOf?: Readonly<Record<string, number>>
  /** `ClaudeBudgetTokensPercentage`: the share of the limit that thinking may use. */
  budgetShare?: number
  /** The operator lets fields go on that only the caller's dialect knows. */
  keepsExtra?: boolean
}

/** How an answer is told: what the caller asked for, and the clock's word. */
export type Manner = {
  request?: ChatRequest
  wantsUsage?: boolean
  /** In seconds, for a dialect that tells it, where the upstream did not. */
  createdAt?: number
  /** Streams of gemini without `alt=sse` are one JSON array. */
  form?: 'sse' | 'array'
}

export type Written = { body: Record<string, unknown>; notes: Note[] }
export type RequestResult = { ok: true; request: ChatRequest } | ({ ok: false } & Unreadable)

/**
 * Hears a stream frame by frame and says what it means, to the function it was made with. Never throws: what is no frame
 * of the dialect is counted and left out.
 */
export type Decoder = {
  /** `event`: the frame's name, '' where it has none. Lines that carry no data are not frames. */
  frame(data: string, event: string): void
  /** The bytes are at their end. Says `end` if that was not said and the answer is whole, else `failure`. */
  close(): void
  garbage(): number
}

/**
 * Tells a stream: each event gives the bytes that go to the caller, '' for none. `end` and `failure` write what ends the
 * stream, whatever came before; after them nothing is written.
 */
export type Encoder = { push(event: ChatEvent): string; notes: readonly Note[] }

/** What a count of a prompt asks and answers, where the dialect has an operation for it. */
export type Counting = {
  decodeRequest(body: unknown, named?: Named): RequestResult
  encodeRequest(request: ChatRequest): Written
  decodeReply(body: unknown): number | undefined
  encodeReply(tokens: number): Record<string, unknown>
}

/** What translating needs: both halves of both directions. Each decoder undoes what its encoder does. */
type Telling = {
  decodeRequest(body: unknown, named?: Named): RequestResult
  encodeRequest(request: ChatRequest, aim?: Aim): Written
  decodeReply(body: unknown): ChatReply
  encodeReply(reply: ChatReply, manner?: Manner): Written
  decodeFrames(emit: (event: ChatEvent) => void): Decoder
  encodeEvents(manner?: Manner): Encoder
  counting?: Counting
  /** Present: what is asked for in these words are embeddings, and no chat. */
  embeddings?: Embeddings
}

export type Dialect = Passing & Telling

/** The upstream half: what a format owes that a vendor speaks and no caller. Every dialect has it. */
export type Upstream = Pick<
  Passing,
  'read' | 'splice' | 'askForUsage' | 'readReply' | 'decodeUsage' | 'decodeFault'
> &
  Pick<Telling, 'encodeRequest' | 'decodeReply' | 'decodeFrames'> & { id: DialectId }
