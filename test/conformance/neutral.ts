/**
 * Requests and responses independent of any dialect. A caller encodes a `NeutralRequest` and decodes a
 * `NeutralResponse` through its official client; a vendor decodes the request and encodes the response on the wire.
 */

export const dialects = ['openai-chat', 'openai-responses', 'anthropic', 'gemini'] as const
export type Dialect = (typeof dialects)[number]

/** One of `data` (base64) and `url`. */
export type Media = {
  mime: string
  data?: string
  url?: string
  name?: string
  transcript?: string
}

export type Source = { url: string; title: string }

/** `signature`: a signature or encrypted thought, byte for byte. */
export type TextPiece = {
  text: string
  cache?: '5m' | '1h'
  sources?: Source[]
  signature?: string
}
/** `hidden`: the response shows the signature only. */
export type ThinkingPiece = { thinking: string; signature?: string; hidden?: true }
export type Call = { call: string; id: string; input: Record<string, unknown>; signature?: string }
/** `result`: the id of the call; `of`: its name. */
export type Result = { result: string; toolName: string; pieces: Piece[]; failed?: true }

/** One part of a turn. */
export type Piece =
  | TextPiece
  | { refusal: string }
  | { image: Media }
  | { file: Media }
  | { audio: Media }
  | ThinkingPiece
  | Call
  | Result
  /** A call of a tool that the vendor runs itself, in the vendor's own block. */
  | { server: 'web-search' }

/** Results of tools are a turn of their own, whatever role a dialect gives them. Consecutive texts are one. */
export type Turn = { from: 'user' | 'model' | 'tool'; pieces: Piece[] }

export type Schema = Record<string, unknown>

export type Tool =
  | { name: string; description: string; schema: Schema; strict?: boolean; cache?: '5m' | '1h' }
  /** One that the vendor runs itself. */
  | { server: 'web-search' }

export type NeutralRequest = {
  /** One text for each instruction. */
  system?: string[]
  turns: Turn[]
  tools?: Tool[]
  choice?: 'none' | 'auto' | 'required' | { tool: string }
  parallel?: boolean
  outputMax?: number
  temperature?: number
  topP?: number
  topK?: number
  presencePenalty?: number
  frequencyPenalty?: number
  stop?: string[]
  seed?: number
  /** How many answers. */
  n?: number
  /** Log probabilities, for so many other tokens. */
  logprobs?: number
  format?: 'json' | { name: string; schema: Schema; strict?: boolean }
  effort?: string
  /** Tokens to think with. */
  budget?: number
  /** The model thinks as much as it finds right. */
  adaptive?: boolean
  /** Not at all. */
  thinkingDisabled?: boolean
  /** The response contains the model's thoughts. */
  thoughtsShown?: boolean
  audioOutput?: { voice: string; format: string }
  user?: string
  metadata?: Record<string, string>
  tier?: string
  /** Fields that no dialect has. */
  unknown?: Record<string, unknown>
  /** Headers that the vendor must get. */
  headers?: Record<string, string>
}

export type Finish = 'stop' | 'length' | 'tools' | 'filter' | 'refusal' | 'sequence'

/** Disjoint: no token is counted in two of them. Absent is 0. */
export type Usage = {
  input: number
  output: number
  cacheRead?: number
  cacheWrite?: number
  reasoning?: number
}

export type Logprob = { token: string; logprob: number }

/** `kind`: what the words and the status mean, in whichever dialect. */
export type Refusal = {
  kind: 'invalid' | 'unauthorized' | 'not-found' | 'busy' | 'broken'
  status: number
  message: string
  retryAfter?: number
}

export type NeutralResponse = {
  pieces?: Piece[]
  /** The second answer and those after it. */
  others?: Piece[][]
  finish?: Finish
  /** The stop sequence that was met. */
  sequence?: string
  usage?: Usage
  logprobs?: Logprob[]
  tier?: string
  unknown?: Record<string, unknown>
  /** In place of an answer; behind pieces: the stream breaks off there. */
  refusal?: Refusal
}

export const user = (...pieces: (string | Piece)[]): Turn => ({
  from: 'user',
  pieces: piecesOf(pieces),
})
export const model = (...pieces: (string | Piece)[]): Turn => ({
  from: 'model',
  pieces: piecesOf(pieces),
})
export const results = (...pieces: Piece[]): Turn => ({ from: 'tool', pieces })

const piecesOf = (pieces: (string | Piece)[]): Piece[] =>
  pieces.map(each => (typeof each === 'string' ? { text: each } : each))

type Given<T> = {
  [K in keyof T as undefined extends T[K] ? never : K]: T[K]
} & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>
}

/** Without the keys that have no value: a fact that is not known is not there. */
export const definedFields = <const T extends object>(facts: T): Given<T> =>
  Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined)) as Given<T>

/** Nothing in place of a list without members, of a text without words, of no tokens. */
export const nonEmpty = <T extends { length: number } | number>(value: T | null | undefined) =>
  value && (typeof value === 'number' || value.length > 0) ? value : undefined
