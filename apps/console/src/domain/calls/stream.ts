import * as anthropic from './anthropic.ts'
import { CallError, errorOf } from './errors.ts'
import * as gemini from './gemini.ts'
import * as openaiChat from './openai-chat.ts'
import * as openaiResponses from './openai-responses.ts'
import type {
  ChatCall,
  DialectClient,
  DialectId,
  StreamPart,
  ToolCall,
  ToolCallDelta,
} from './types.ts'

const clients: Record<DialectId, DialectClient> = {
  'openai-chat': openaiChat,
  'openai-responses': openaiResponses,
  anthropic,
  gemini,
}

type CallOptions = {
  dialect: DialectId
  key: string
  signal: AbortSignal
  /** Receives the id of the call, which is also the id of its log row, when the response starts. */
  onId: (id: string) => void
}

/** Streams an answer from the public API, exactly as any other client. */
export async function* streamChat(
  call: ChatCall,
  { dialect, key, signal, onId }: CallOptions,
): AsyncGenerator<StreamPart> {
  const { path, headers, body } = clients[dialect].encode(call, key)
  const response = await fetch(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
    credentials: 'omit',
    signal,
  }).catch(cause => {
    if (signal.aborted) throw cause
    throw new CallError(0, '', '')
  })
  onId(response.headers.get('x-oneapi-request-id') ?? '')
  if (!response.ok || !response.body) throw errorOf(response.status, await readJson(response))
  yield* readStream(response.body, clients[dialect].decode)
}

const readJson = (response: Response): Promise<unknown> => response.json().catch(() => undefined)

/** Reads an event stream, whose lines may arrive in pieces of any size. */
export async function* readStream(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  decode: DialectClient['decode'],
): AsyncGenerator<StreamPart> {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader()
  let buffer = ''
  for (;;) {
    const { done, value } = await reader.read()
    const lines = (buffer + (done ? '\n' : value)).split('\n')
    buffer = lines.pop() ?? ''
    for (const line of lines) {
      const part = readLine(line, decode)
      if (part) yield part
    }
    if (done) return
  }
}

/** Reads one line of the event stream; undefined for lines without anything to show. */
export const readLine = (line: string, decode: DialectClient['decode']): StreamPart | undefined => {
  const data = /^data:\s?(.*)$/.exec(line.trimEnd())?.[1]
  if (!data || data === '[DONE]') return undefined
  const event = parseEvent(data)
  // Responses reports an error in the response that failed.
  const failed = event.error ? event : event.response?.error ? event.response : undefined
  if (failed || event.type === 'error') throw errorOf(200, failed ?? { error: event })
  return decode(event as never)
}

type StreamEvent = { type?: string; error?: unknown; response?: { error?: unknown } }

const parseEvent = (data: string): StreamEvent => {
  try {
    return JSON.parse(data)
  } catch (cause) {
    throw new TypeError(`The answer broke off at: ${data.slice(0, 80)}`, { cause })
  }
}

/** Adds the pieces of an event to the tool calls read so far. Index -1 begins a new call. */
export const addToolCalls = (
  calls: readonly ToolCall[],
  deltas: readonly ToolCallDelta[],
): readonly ToolCall[] =>
  deltas.reduce<readonly ToolCall[]>((now, delta) => {
    const index = delta.index < 0 ? Math.max(-1, ...now.map(each => each.index)) + 1 : delta.index
    const old = now.find(each => each.index === index) ?? { index, name: '', arguments: '' }
    const call = {
      index,
      name: old.name + (delta.name ?? ''),
      arguments: old.arguments + (delta.arguments ?? ''),
    }
    return [...now.filter(each => each.index !== index), call].toSorted((a, b) => a.index - b.index)
  }, calls)
