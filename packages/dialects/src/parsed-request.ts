import type { Usage } from './usage.ts'

/** Bytes [start, end) of a top-level field's value in the body. `keyStart` is the first byte of its key. */
export type ByteRange = { keyStart: number; start: number; end: number }

/** How much a model is to reason, as the end of its name or a virtual model says; `on` and `off` are switches. */
export type EffortLevel = 'on' | 'off' | 'minimal' | 'low' | 'medium' | 'high' | 'xhigh'

/** The content of a request that routing and billing need. One pass over the bytes reads it without building canon. */
export type ParsedRequest = {
  model: string
  /** The text after a `#` in the requested model name. `model` does not contain it. */
  modelSuffix?: string
  /** The effort that the gateway wrote, and the vendor is told in its own fields. Absent: the caller's body says all. */
  effort?: EffortLevel
  /** The body names another model than `model`, which the body that is sent must have. Absent: it names `model`. */
  isModelReplaced?: boolean
  stream: boolean
  /** The caller's own limit on output tokens; undefined for none. */
  outputMax: number | undefined
  /** The gateway wrote the limit, and the caller named none. */
  isLimitOurs?: true
  /** The number of choices; at least 1. */
  n: number
  hasTools: boolean
  /** Absent where the caller does not mention reasoning, or its dialect does not read it. */
  reasoning?: 'on' | 'off' | undefined
  /** It has a name or an id of tools that some vendor may refuse; absent where it was not checked. */
  hasUnusualToolText?: boolean
  /**
   * It may declare tools that the vendor runs itself, and whose results it charges as prompt; absent where it was not
   * checked.
   */
  hasVendorTools?: boolean
  /** The caller wants the usage at the end of the stream. */
  wantsUsage: boolean
  /** A cautious estimate without a tokenizer. Each long base64 string counts as media and not as text. */
  promptTokens: number
  /** About how many tokens of the prompt are the system prompt of the channel; absent for none. */
  channelPromptTokens?: number
  /** The part of `promptTokens` for images and other media; absent for none. */
  mediaTokens?: number
  /** It names media by address or by the id of an upload; absent where it was not checked. */
  hasMediaLinks?: boolean
  /** It has a string in a place where a vendor may read a link; absent where it was not checked. */
  hasAddresses?: boolean
  /** It marks parts of the prompt for the vendor's cache; absent where it was not checked. */
  marksCache?: boolean
  /** The request contains many inputs, for which a vendor may have a separate endpoint. */
  isBatch?: boolean
  /** The part of the price that the request itself fixes; absent where tokens alone decide. */
  pricing?: RequestPricing
  /** The content type of the body; absent for JSON. */
  contentType?: string
  /** How the caller wants images that are made; `unknown` for other words. Absent: as the vendor gives them. */
  imageForm?: ImageForm | 'unknown'
  /** Use of vendor-stored responses; absent in a dialect without them. */
  state?: StateParams
  /** Top-level fields. Invariant: an edit leaves all bytes outside these ranges as they are. */
  fieldRanges: ReadonlyMap<string, ByteRange>
  body: Buffer
}

/** The form of an image in an answer: a link, or its bytes. */
export type ImageForm = 'url' | 'b64_json'

/** Usage that follows from fields of the request, such as the number and size of images. */
export type RequestPricing = {
  /** The most that the call may use, which is reserved. */
  max: Usage
  /** Charged where the upstream reports no usage. Absent: the prompt and the counted output. */
  unreported?: Usage
  /** The input of `unreported` is the cautious estimate of the prompt, which is held and never charged. */
  isPromptCounted?: boolean
  /** The likely size of the prompt where it is no text. Charged where the answer was left before any usage came. */
  prompt?: Usage
  /** `unreported` is the vendor's own measure, not an estimate. */
  isExact: boolean
  /** The number of results. A price per call covers one. */
  units: number
}

/** How a request uses responses that the vendor stores. */
export type StateParams = {
  /** The vendor stores this response, so that a client can fetch it by id. */
  store: boolean
  /** The call returns before the response is complete. */
  background: boolean
  /** The stored response that this request continues. */
  previousResponseId: string | undefined
  conversationId: string | undefined
  /** The input refers to stored items by id. */
  hasItemReferences: boolean
  /** The answer is the compacted conversation. */
  compacts?: true
}

/** The request needs a response that its vendor stores. */
export const needsStorage = ({
  background,
  previousResponseId,
  conversationId,
  hasItemReferences,
}: StateParams): boolean =>
  background ||
  hasItemReferences ||
  previousResponseId !== undefined ||
  conversationId !== undefined

/** The bytes of a body, and where its fields are. */
export type RequestBytes = Pick<ParsedRequest, 'body' | 'fieldRanges'>

/** Parameters from the URL path, for a dialect that does not have them in the body. */
export type PathParams = { model: string; stream: boolean; action?: string }

/** Why a body cannot be read. The relay turns it into a fault in the caller's dialect. */
export type Unreadable = {
  reason: 'unreadable' | 'invalid' | 'ambiguous' | 'too-deep'
  hint: string
}
export type ReadResult = { ok: true; parsed: ParsedRequest } | ({ ok: false } & Unreadable)

/** New values of top-level fields; `undefined` removes a field. */
export type Edits = Record<string, unknown>
