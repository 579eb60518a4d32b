import { once } from 'node:events'
import { Agent, type ClientRequest, type IncomingMessage, request } from 'node:http'
import { performance } from 'node:perf_hooks'

/** One call as a client observed it. */
export type ObservedCall = {
  mark: string
  status: number
  headers: Record<string, string | string[] | undefined>
  /** The ledger's id, from the answer's head. */
  requestId: string
  text: string
  /** Pieces of text received. */
  pieces: number
  /** A whole JSON answer, or a stream with its closing frame. */
  complete: boolean
  /** The connection broke. */
  broken: boolean
  startedAt: number
  headAt: number
  endedAt: number
}

export type ChatOptions = {
  url: string
  key: string
  model: string
  stream?: boolean
  mark?: string
  headers?: Record<string, string>
  body?: object
  /** Leaves after this many pieces; 0: as soon as the request is sent. */
  leaveAfter?: number
  agent?: Agent
  onSent?: (call: ClientRequest) => void
}

let marks = 0
export const nextCallTag = () => `mark-${process.pid}-${++marks}`

/** A call of which nothing was observed yet. */
export const unobservedCall = (mark = nextCallTag()): ObservedCall => ({
  mark,
  status: 0,
  headers: {},
  requestId: '',
  text: '',
  pieces: 0,
  complete: false,
  broken: false,
  startedAt: performance.now(),
  headAt: 0,
  endedAt: 0,
})

/**
 * The gateway's estimate for the fake vendor's first pieces (`t0 x` …) without reported usage: four letters or blanks
 * are a token, and two digits.
 */
export const estimatedTokens = (pieces: number): number => {
  let weightedChars = 0
  for (let at = 0; at < pieces; at += 1) {
    const digits = String(at).length
    weightedChars += Math.max(4, digits + 2) + digits
  }
  return Math.ceil(weightedChars / 4)
}

/** Sockets for a crowd of clients. */
export const unlimitedAgent = () =>
  new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY })

const piecesIn = (text: string): number => text.match(/"content":"[^"]/g)?.length ?? 0

/** One chat, as a plain HTTP client makes it; it never throws: what broke is in `Seen`. */
export const ask = (options: ChatOptions): Promise<ObservedCall> => {
  const { url, key, model, stream = false, mark = nextCallTag(), leaveAfter } = options
  const body = Buffer.from(
    JSON.stringify({
      model,
      user: mark,
      messages: [{ role: 'user', content: 'Say something.' }],
      ...(stream ? { stream: true, stream_options: { include_usage: true } } : {}),
      ...options.body,
    }),
  )
  const seen = unobservedCall(mark)
  return new Promise(resolve => {
    const end = (broken: boolean) => {
      if (seen.endedAt) return
      seen.endedAt = performance.now()
      seen.broken = broken
      seen.pieces = stream ? piecesIn(seen.text) : 0
      seen.complete =
        seen.status === 200 &&
        !broken &&
        (stream ? seen.text.includes('data: [DONE]') : whole(seen.text))
      resolve(seen)
    }
    const call = request(`${url}/v1/chat/completions`, {
      method: 'POST',
      agent: options.agent,
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        'content-length': body.length,
        ...options.headers,
      },
    })
    call.once('error', () => end(true))
    call.once('close', () => end(true))
    call.once('response', response => void read(response, call, seen, leaveAfter, end))
    call.end(body, () => {
      options.onSent?.(call)
      if (leaveAfter === 0) call.destroy()
    })
  })
}

const whole = (text: string): boolean => {
  try {
    return Array.isArray(JSON.parse(text).choices)
  } catch {
    return false
  }
}

const read = async (
  response: IncomingMessage,
  call: ClientRequest,
  seen: ObservedCall,
  leaveAfter: number | undefined,
  end: (broken: boolean) => void,
): Promise<void> => {
  seen.status = response.statusCode ?? 0
  seen.headers = response.headers
  seen.requestId = String(response.headers['x-oneapi-request-id'] ?? '')
  seen.headAt = performance.now()
  response.setEncoding('utf8')
  response.on('data', (chunk: string) => {
    seen.text += chunk
    if (leaveAfter && piecesIn(seen.text) >= leaveAfter) call.destroy()
  })
  response.once('error', () => end(true))
  response.once('end', () => end(!response.complete))
  await once(response, 'close').catch(() => undefined)
  end(true)
}

/** Many at once; `limit` of them at any time. */
export const mapConcurrently = async <T>(
  count: number,
  limit: number,
  work: (at: number) => Promise<T>,
): Promise<T[]> => {
  const results: T[] = new Array(count)
  let next = 0
  const worker = async () => {
    while (next < count) {
      const at = next++
      results[at] = await work(at)
    }
  }
  await Promise.all(Array.from({ length: Math.min(limit, count) }, worker))
  return results
}
