export type ChatMessage = { role: 'system' | 'user' | 'assistant'; content: string }
type ChatRequest = {
  key: string
  model: string
  messages: ChatMessage[]
  signal: AbortSignal
  /** Receives the id of the call, which is also the id of its log entry, when the response starts. */
  onId: (id: string) => void
}
export type StreamPart = {
  text?: string
  reasoning?: string
  toolCalls?: ToolCallDelta[]
  usage?: TokenUsage
}
export type TokenUsage = { prompt_tokens: number; completion_tokens: number }
export type ToolCall = { index: number; name: string; arguments: string }
type ToolCallDelta = { index?: number; function?: { name?: string; arguments?: string } }

/** Streams an answer from the public API, exactly as any other client. */
export async function* streamChat({
  key,
  model,
  messages,
  signal,
  onId,
}: ChatRequest): AsyncGenerator<StreamPart> {
  const response = await fetch('/v1/chat/completions', {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
    body: JSON.stringify({
      model,
      messages,
      stream: true,
      stream_options: { include_usage: true },
    }),
    credentials: 'omit',
    signal,
  })
  onId(response.headers.get('x-oneapi-request-id') ?? '')
  if (!response.ok || !response.body) throw new TypeError(await errorMessageOf(response))
  yield* readStream(response.body)
}

/** Reads an event stream, whose lines may arrive in pieces of any size. */
export async function* readStream(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
): AsyncGenerator<StreamPart> {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader()
  let buffer = ''
  for (;;) {
    const { done, value } = await reader.read()
    const lines = (buffer + (done ? '\n' : value)).split('\n')
    buffer = lines.pop() ?? ''
    for (const line of lines) {
      const part = parseStreamLine(line)
      if (part) yield part
    }
    if (done) return
  }
}

type Delta = {
  content?: string | null
  /** DeepSeek and most compatible vendors send `reasoning_content`, OpenRouter and vLLM `reasoning`. */
  reasoning_content?: string | null
  reasoning?: string | null
  tool_calls?: ToolCallDelta[] | null
}
type Chunk = {
  choices?: { delta?: Delta }[]
  usage?: TokenUsage | null
  error?: { message?: string }
}

/** Reads one line of the event stream; undefined for lines without anything to show. */
export const parseStreamLine = (line: string): StreamPart | undefined => {
  const data = /^data:\s?(.*)$/.exec(line.trimEnd())?.[1]
  if (!data || data === '[DONE]') return undefined
  const chunk = parseChunk(data)
  if (chunk.error) throw new TypeError(chunk.error.message ?? data)
  const delta = chunk.choices?.[0]?.delta
  // A vendor that sends both fields sends the same text twice.
  const reasoning = delta?.reasoning_content || delta?.reasoning
  const part: StreamPart = {
    ...(delta?.content ? { text: delta.content } : {}),
    ...(reasoning ? { reasoning } : {}),
    ...(delta?.tool_calls?.length ? { toolCalls: delta.tool_calls } : {}),
    ...(chunk.usage ? { usage: chunk.usage } : {}),
  }
  return Object.keys(part).length > 0 ? part : undefined
}

const parseChunk = (data: string): Chunk => {
  try {
    return JSON.parse(data)
  } catch (cause) {
    throw new TypeError(`The answer broke off at: ${data.slice(0, 80)}`, { cause })
  }
}

/** Adds the pieces of a chunk to the tool calls read so far. */
export const addToolCalls = (
  calls: readonly ToolCall[],
  deltas: readonly ToolCallDelta[],
): readonly ToolCall[] =>
  deltas.reduce<readonly ToolCall[]>((now, { index = 0, function: piece }) => {
    const old = now.find(each => each.index === index) ?? { index, name: '', arguments: '' }
    const call = {
      index,
      name: old.name + (piece?.name ?? ''),
      arguments: old.arguments + (piece?.arguments ?? ''),
    }
    return [...now.filter(each => each.index !== index), call].toSorted((a, b) => a.index - b.index)
  }, calls)

const errorMessageOf = async (response: Response): Promise<string> => {
  const body = (await response.json().catch(() => undefined)) as Chunk | undefined
  return body?.error?.message ?? `HTTP ${response.status}`
}
