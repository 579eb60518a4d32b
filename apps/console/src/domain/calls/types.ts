/** The formats of the public API in which a chat can be asked. */
export const dialectIds = ['openai-chat', 'openai-responses', 'anthropic', 'gemini'] as const
export type DialectId = (typeof dialectIds)[number]

/** The names are those of the products, in every language. */
export const dialectNames: Record<DialectId, string> = {
  'openai-chat': 'OpenAI Chat Completions',
  'openai-responses': 'OpenAI Responses',
  anthropic: 'Claude Messages',
  gemini: 'Gemini',
}

/** A picture as base64, without the prefix of a data address. */
export type CallImage = { type: string; data: string }
export type CallMessage = {
  role: 'user' | 'assistant'
  text: string
  images?: readonly CallImage[]
}
export type CallTool = { name: string; description?: string; parameters: Record<string, unknown> }

/** Only what is set is sent. */
export type CallParameters = {
  temperature?: number
  topP?: number
  maxTokens?: number
  effort?: string
}

/** A streamed chat in terms that every dialect has. */
export type ChatCall = CallParameters & {
  model: string
  system: string
  messages: readonly CallMessage[]
  tools: readonly CallTool[]
}

export type TokenUsage = { input: number; output: number }
export type ToolCall = { index: number; name: string; arguments: string }
export type ToolCallDelta = { index: number; name?: string; arguments?: string }

/** The part of the answer that one event of a stream carries. */
export type StreamPart = {
  text?: string
  reasoning?: string
  toolCalls?: ToolCallDelta[]
  /** The fields of a later event replace those of an earlier one. */
  usage?: Partial<TokenUsage>
}

export type WireRequest = { path: string; headers: Record<string, string>; body: object }
export type DialectClient = {
  encode: (call: ChatCall, key: string) => WireRequest
  /** Reads the data of one event; undefined for an event without anything to show. */
  decode: (event: never) => StreamPart | undefined
}
