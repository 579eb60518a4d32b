import type { ErrorInfo } from '../dialect.ts'
import { readFieldRanges } from '../json/field-ranges.ts'
import type { Json } from '../json/json.ts'
import { literal } from '../json/read-request.ts'
import { splice } from '../json/splice.ts'
import type { Unreadable } from '../parsed-request.ts'
import { encodeFault } from './errors.ts'

// Responses over a WebSocket: https://developers.openai.com/api/docs/guides/websocket-mode

/** An event that a client sends. */
export type SocketClientEvent =
  /** `body` is the request as a client would post it, streamed. */
  | { kind: 'create'; streamId: string | undefined; generate: boolean; body: Buffer }
  /** Input for a response that is being made, which only the vendor's own servers can use. */
  | { kind: 'steer'; previousResponseId: unknown; input: unknown }
  /** Codex reports that it has used a response (openai/codex#21284). Nothing is answered. */
  | { kind: 'processed' }
  | { kind: 'invalid'; streamId?: string; unreadable: Unreadable }
  | { kind: 'invalid-stream-id' }

/** Fields of the event that are no fields of a posted request. */
const guarded = ['type', 'stream_id', 'generate', 'stream', 'background'] as const

export const readSocketEvent = (bytes: Buffer): SocketClientEvent => {
  const fields = readFieldRanges(bytes, 0, bytes.length, guarded)
  if (!fields.ok) return { kind: 'invalid', unreadable: fields }
  const { fieldRanges } = fields
  const fieldOf = (name: string): unknown => {
    const range = fieldRanges.get(name)
    return range && JSON.parse(bytes.toString('utf8', range.start, range.end))
  }
  const type = fieldOf('type')
  if (type === 'response.processed') return { kind: 'processed' }
  if (type === 'response.steer')
    return {
      kind: 'steer',
      previousResponseId: fieldOf('previous_response_id'),
      input: fieldOf('input'),
    }
  if (type !== 'response.create') return invalid("'type' must be response.create.", undefined)
  const streamId = fieldOf('stream_id') ?? undefined
  if (streamId !== undefined && !isStreamId(streamId)) return { kind: 'invalid-stream-id' }
  const flag = (name: string) => literal(bytes, fieldRanges.get(name))
  const generate = flag('generate') ?? 'true'
  if (generate !== 'true' && generate !== 'false')
    return invalid("'generate' must be true or false.", streamId)
  if ((flag('stream') ?? 'true') !== 'true')
    return invalid("'stream' must be absent or true: every response is streamed.", streamId)
  if ((flag('background') ?? 'false') !== 'false')
    return invalid("'background' is not available over a WebSocket.", streamId)
  const edits = { type: undefined, stream_id: undefined, generate: undefined, stream: true }
  const body = splice({ body: bytes, fieldRanges }, edits)
  return { kind: 'create', streamId, generate: generate === 'true', body }
}

const invalid = (hint: string, streamId: string | undefined): SocketClientEvent => ({
  kind: 'invalid',
  ...(streamId === undefined ? {} : { streamId }),
  unreadable: { reason: 'invalid', hint },
})

const isStreamId = (value: unknown): value is string =>
  typeof value === 'string' && /^[\w.-]{1,256}$/.test(value)

/** Removes the header by which Codex asks for this protocol: a posted request does not have it. */
export const withoutSocketHeaders = (rawHeaders: readonly string[]): string[] =>
  rawHeaders.filter((_, at) => {
    const [name, value = ''] = rawHeaders.slice(at - (at % 2))
    return name?.toLowerCase() !== 'openai-beta' || !value.startsWith('responses_websockets')
  })

/** Adds the id of a stream to an event. Events of the default stream have none. */
export const withStreamId = (event: string, streamId: string | undefined): string =>
  streamId === undefined
    ? event
    : event.replace('{', () => `{"stream_id":${JSON.stringify(streamId)},`)

/** The error of a request that was not begun, from the body of the HTTP error. Codex reads status and headers. */
export const socketError = (
  status: number,
  body: string,
  headers: Readonly<Record<string, string>> = {},
): string => {
  const { error } = JSON.parse(body) as { error: unknown }
  const more = Object.keys(headers).length > 0 ? { headers } : {}
  return JSON.stringify({ type: 'error', status, error, ...more })
}

/** An error of the connection itself. */
export const encodeSocketFault = (info: ErrorInfo): string => {
  const { status, body } = encodeFault(info)
  return socketError(status, body)
}

/** Returns the input to its sender, which may send it with the next response. */
export const steerRefusal = (previousResponseId: unknown, input: unknown): string =>
  JSON.stringify({
    type: 'response.steer.failed',
    sequence_number: 0,
    steer: { previous_response_id: previousResponseId, input },
    error: {
      code: 'steering_not_supported',
      message: 'This gateway does not steer a response. Send the input with the next one.',
    },
  })

const noTokens = {
  input_tokens: 0,
  input_tokens_details: { cached_tokens: 0 },
  output_tokens: 0,
  output_tokens_details: { reasoning_tokens: 0 },
  total_tokens: 0,
}

type EmptyResponse = {
  id: string
  model: string
  createdAt: number
  previousResponseId: string | undefined
}

/** The events of a request with `generate: false`: a response without output, to be continued. */
export const emptyResponseEvents = (fields: EmptyResponse): string => {
  const response = {
    id: fields.id,
    object: 'response',
    created_at: fields.createdAt,
    model: fields.model,
    previous_response_id: fields.previousResponseId ?? null,
    error: null,
    incomplete_details: null,
    output: [],
  }
  const created = { ...response, status: 'in_progress', usage: null }
  return (
    frame('response.created', 0, created) +
    frame('response.completed', 1, { ...response, status: 'completed', usage: noTokens })
  )
}

const frame = (type: string, sequence: number, response: object): string =>
  `event: ${type}\ndata: ${JSON.stringify({ type, sequence_number: sequence, response })}\n\n`

/** Collects the output of a stream of events, whose last one may come without it. */
export type OutputCollector = {
  observe(event: string): void
  /** Runs before the last event of a response is sent; not for a failed one. */
  onFinished: ((id: string, output: readonly unknown[]) => void) | undefined
  /** Runs before the event is sent with which a response fails, or is refused. */
  onFailed: (() => void) | undefined
}

export const collectOutput = (): OutputCollector => {
  const items: string[] = []
  const collector: OutputCollector = {
    onFinished: undefined,
    onFailed: undefined,
    observe: event => {
      if (event.includes('"response.output_item.done"')) items.push(event)
      else if (/"response\.(completed|incomplete)"/.test(event)) {
        const { type, response } = parse(event)
        if (type !== 'response.completed' && type !== 'response.incomplete') return
        if (typeof response?.id !== 'string') return
        const { id, output } = response
        const isWhole = Array.isArray(output) && output.length > 0
        collector.onFinished?.(id, isWhole ? output : items.flatMap(itemOf))
        items.length = 0
      } else if (/"(response\.failed|error)"/.test(event) && isFailure(parse(event)))
        collector.onFailed?.()
    },
  }
  return collector
}

const isFailure = ({ type }: Json): boolean => type === 'response.failed' || type === 'error'

const itemOf = (event: string): unknown[] => {
  const { type, item } = parse(event)
  return type === 'response.output_item.done' && item ? [item] : []
}

const parse = (event: string): Json => {
  try {
    return JSON.parse(event) ?? {}
  } catch {
    return {}
  }
}
