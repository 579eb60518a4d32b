import type { Dialect, NeutralRequest, NeutralResponse, Piece, Refusal, Turn } from './neutral.ts'

/** The gateway's address and the caller's key. */
export type Endpoint = {
  url: string
  key: string
  /** The address over TLS, without which some clients open no WebSocket. */
  secureUrl?: string
}

/** One request. `before`: earlier turns, with each response as the client holds it. */
export type ClientCall = {
  model: string
  stream: boolean
  request: NeutralRequest
  before?: readonly { request: NeutralRequest; received: ClientResponse }[]
}

/** A response as a caller read it through its client. */
export type ClientResponse = NeutralResponse & {
  /** The response as the client holds it: the next turn sends it back unchanged. */
  native?: unknown
  /** The id by which the gateway's log knows the call, from a header or an error. */
  requestId?: string
  /** In how many pieces the inputs of calls came. */
  inputPieces?: number
}

/**
 * A caller's half of a row: asks in its dialect through an official client, and reads plain facts. What its dialect has no
 * word for it sends under the name that openai-chat has for it, as a careless user would.
 */
export type Caller = {
  id: string
  /** The package. */
  client: string
  dialect: Dialect
  /** Absent: whole and streamed. */
  modes?: readonly Mode[]
  /** False for features that a second client cannot express or read. Absent: it can express all. */
  can?: (feature: Feature) => boolean
  /** Fields that the client adds to every request, and log notes about those that other vendors do not get. */
  additions?: { facts(request: NeutralRequest): Partial<NeutralRequest>; notes?: RegExp }
  /** Never rejects where the gateway answered: a refusal is a fact too. */
  clientCall(endpoint: Endpoint, clientCall: ClientCall): Promise<ClientResponse>
  models?(endpoint: Endpoint): Promise<string[]>
  count?(endpoint: Endpoint, clientCall: ClientCall): Promise<number>
  /** The bytes that a stream contains while the vendor is silent, and the request that shows them: no client does. */
  ping?: { pattern: RegExp; path(model: string): string; body(clientCall: ClientCall): unknown }
}

type ChannelFields = { type: number; plugin?: Record<string, unknown> }

/** A vendor's half: decodes the request body that it receives, and responds on the wire after its documents. */
export type Vendor = {
  dialect: Dialect
  /** Fields of its channel, in addition to address and key. */
  channel: ChannelFields
  /**
   * Names as the vendor has them: what a model knows shows in its name. `older` takes a temperature, and thinks by budget
   * where the vendor has budgets, or not at all.
   */
  models: { usual: string; older: string }
  /** Fields of the channel of the older model. Absent: as those of the usual one. */
  olderChannel?: ChannelFields
  read(body: unknown): NeutralRequest
  whole(response: NeutralResponse, model: string): unknown
  /** The frames of a stream, one by one. With a refusal behind the pieces the last one is the dialect's error. */
  stream(response: NeutralResponse, model: string): string[]
  refuse(refusal: Refusal): { body: unknown; headers?: Record<string, string> }
  /** The answer to a count of so many tokens. */
  count(tokens: number): unknown
}

export type Mode = 'whole' | 'stream'

/** One row. Every key of request and response is compared; a key that is `undefined` must be absent. */
export type Feature = {
  name: string
  title: string
  group: string
  request: NeutralRequest
  response: NeutralResponse
  /** Differences between the vendor's response and the received one: the gateway words some errors itself. */
  received?: Partial<NeutralResponse>
  /** The second turn: the caller sends the conversation so far, and the vendor answers again. */
  next?: { turns: Turn[]; response: NeutralResponse }
  /** Absent: both. */
  modes?: readonly Mode[]
  /** Absent: a chat. */
  operation?: 'chat' | 'move' | 'count' | 'models' | 'ping' | 'withWrongKey' | 'withUnknownModel'
  model?: 'older'
}

/** The reason why a cell differs from its feature. The run asserts what `how` claims. */
export type Exception = {
  features: readonly string[]
  /** Absent: all of them. Both dialects are never the same where something is lost. */
  callers?: readonly Dialect[]
  upstreams?: readonly Dialect[]
  /**
   * note: something is lost, and the log row lists it. refused: a clear error names it. otherwise: nothing is lost,
   * but the encoding differs; only then `callers` and `upstreams` may be the same.
   */
  how: 'note' | 'refused' | 'otherwise'
  /** In the notes of the log row, or in the error. */
  pattern?: RegExp
  /** Differences from the feature, in the upstream request, the upstream response and the received response. */
  upstreamRequest?: Partial<NeutralRequest>
  upstreamResponse?: Partial<NeutralResponse>
  received?: Partial<ClientResponse>
  /** The pieces of its response that the vendor gets back in the next turn. */
  returnedPieces?: Piece[]
  /** Only in this mode. */
  mode?: Mode
  why: string
  /** The vendor's document. */
  source: string
}
