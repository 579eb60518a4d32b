export type Message = { role: 'system' | 'user' | 'assistant'; content: string }
type Ask = {
  key: string
  model: string
  messages: Message[]
  signal: AbortSignal
  /** The id of the call, as soon as the answer begins: it is also the id of its row in the log. */
  onId: (id: string) => void
}
export type Piece = { text?: string; usage?: Usage }
export type Usage = { prompt_tokens: number; completion_tokens: number }

/** The answer as it is told, straight from the public door, as any client would get it. */
export async function* streamChat({
  key,
  model,
  messages,
  signal,
  onId,
}: Ask): AsyncGenerator<Piece> {
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
  if (!response.ok || !response.body) throw new TypeError(await refusalOf(response))
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
  let rest = ''
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    const lines = (rest + value).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) {
      const piece = readLine(line)
      if (piece) yield piece
    }
  }
}

type Chunk = {
  choices?: { delta?: { content?: string | null } }[]
  usage?: Usage | null
  error?: { message?: string }
}

/** One line of the stream; what is neither text nor usage says nothing here. */
export const readLine = (line: string): Piece | undefined => {
  const data = /^data:\s?(.*)$/.exec(line.trimEnd())?.[1]
  if (!data || data === '[DONE]') return undefined
  const chunk = JSON.parse(data) as Chunk
  if (chunk.error) throw new TypeError(chunk.error.message ?? data)
  const text = chunk.choices?.[0]?.delta?.content
  if (!text && !chunk.usage) return undefined
  return { ...(text ? { text } : {}), ...(chunk.usage ? { usage: chunk.usage } : {}) }
}

const refusalOf = async (response: Response): Promise<string> => {
  const body = (await response.json().catch(() => undefined)) as Chunk | undefined
  return body?.error?.message ?? `HTTP ${response.status}`
}
