import type { DecodedFault, Usage } from '@hub/dialects'

type Json = Record<string, unknown>

/** The channel's extra options, by section. */
export type ChannelOptions = Readonly<Record<string, Readonly<Record<string, unknown>>>>

/** A whole answer of a vendor. Some answer a file instead of JSON. */
export type VendorAnswer = { body: Buffer; contentType: string }

export type EncodedOperation = {
  /** An object is sent as JSON. */
  body: Json | Buffer
  /** Required with a buffer. */
  contentType?: string
  headers?: Readonly<Record<string, string>>
  /** Sends the bytes of this file of the caller's form instead of a body, with the file's own type. */
  file?: string
  /** Fields of the caller without which the vendor still does what was asked; they stand in the log row. */
  dropped?: readonly string[]
}

/** A request that the vendor cannot obey. The text names the field and what to do: the caller reads it. */
export type Refusal = { refused: string }

export type DecodedOperation = {
  /** In the form of the operation's callers: an object, or the file. */
  body: Json | Buffer
  /** Required with a buffer. */
  contentType?: string
  /** Absent: read from the body. */
  usage?: Usage | 'broken'
}

/** An event of a vendor's stream in the form of the operation's callers, or the vendor's error as it decoded it. */
export type DecodedEvent =
  | {
      /** The events for the caller, each with its `type`. */
      events: readonly Json[]
      /** The last of `events` ends the stream, and is delivered after the charge. */
      isLast?: boolean
      usage?: Usage | 'broken'
    }
  | { failure: unknown }

/** Undefined: not an event of the vendor. */
export type DecodeEvent = (event: Json) => DecodedEvent | undefined

/**
 * Translates one operation to a vendor's private format and back. Requests and answers are those of OpenAI's API, of
 * Jina's for reranking. Neither function throws.
 */
export type OperationTranslation = {
  /** `request` is the caller's whole body; its model is the one at the upstream. `options` are the channel's. */
  encodeRequest(request: Json, options: ChannelOptions): EncodedOperation | Refusal
  /** Absent: the answer has the callers' form already. Undefined: the body is no answer but an error. */
  decodeAnswer?(answer: VendorAnswer, request: Json): DecodedOperation | undefined
  /** Decodes server-sent events. Absent: a request for a stream goes to another channel, or is refused. */
  decodeEvent?: DecodeEvent
  /** Absent: the usual fields of JSON errors are read. */
  decodeFault?(body: Buffer): DecodedFault
}
