export type ChatMessage = { role: 'system' | 'user' | 'assistant'; content: string }
type ChatRequest = {
  key: string
  model: string
  messages: ChatMessage[]
  signal: AbortSignal
  /** Receives the id of the call, which is also the id of its log entry, when the response starts. */
  onId: (id: string) => void
}
export type StreamPart = { text?: string; usage?: TokenUsage }
export type TokenUsage = { prompt_tokens: number; completion_tokens: number }

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
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
  let buffer = ''
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    const lines = (buffer + value).split('\n')
    buffer = lines.pop() ?? ''
    for (const line of lines) {
      const part = parseStreamLine(line)
      if (part) yield part
    }
  }
}

type Chunk = {
  choices?: { delta?: { content?: string | null } }[]
  usage?: TokenUsage | null
  error?: { message?: string }
}

/** Reads one line of the event stream; undefined for lines without text or usage. */
export const parseStreamLine = (line: string): StreamPart | undefined => {
  const data = /^data:\s?(.*)$/.exec(line.trimEnd())?.[1]
  if (!data || data === '[DONE]') return undefined
  const chunk = JSON.parse(data) as Chunk
  if (chunk.error) throw new TypeError(chunk.error.message ?? data)
  const text = chunk.choices?.[0]?.delta?.content
  if (!text && !chunk.usage) return undefined
  return { ...(text ? { text } : {}), ...(chunk.usage ? { usage: chunk.usage } : {}) }
}

const errorMessageOf = async (response: Response): Promise<string> => {
  const body = (await response.json().catch(() => undefined)) as Chunk | undefined
  return body?.error?.message ?? `HTTP ${response.status}`
}
