import type { IncomingMessage, ServerResponse } from 'node:http'
import { type Fault, faults } from '@hub/contract'
import type { Dialect, Named } from '@hub/dialects'
import { failpoint } from '../lib/failpoint.ts'
import type { Timer } from '../lib/timers.ts'

/** Why a call is over before its answer is. */
export type Stop = 'caller-left' | 'stopping'

/** One request of a caller and the answer to it. The only place that writes to the caller's socket. */
export type Exchange = {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  /** The ledger's id, which is the request id that the caller sees. */
  readonly id: number
  /** The same, as callers are told it. */
  readonly requestId: string
  readonly operation: string
  readonly path: string
  readonly query: string
  /** What the path says in place of the body. */
  readonly named: Named | undefined
  readonly ip: string
  /** Monotonic milliseconds. */
  readonly startedAt: number
  /** Set once the first byte went out. */
  firstByteAt: number | undefined
  /** The head went out, with the beginning of the body. */
  hasWritten: boolean
  stopped: Stop | undefined
  /** Whoever waits for something puts here what ends the waiting at once. */
  onStop: ((why: Stop) => void) | undefined
  /** A vendor's own refusal, to be told as it came. */
  told: { status: number; type: string; body: Buffer } | undefined
  /** What goes to the caller, kept for a repetition of the request; undefined: nobody asked for that. */
  copy: Copy | undefined
  /** For the log line and the metrics. */
  provider: string
  /** What the answer carries in any case, and its rate limits: name and value in turn. */
  readonly headers: string[]
  /** What of the process's budget for bodies it holds. */
  bodyBytes: number
  /** Ends the connection of a caller who does not read the last bytes. */
  lastBytes: Timer | undefined
  /** Among the live calls. */
  place: number
}

/** An answer as the caller got it. */
export type Copy = {
  status: number
  type: string
  chunks: Buffer[]
  size: number
  isWhole: boolean
}

export const stop = (exchange: Exchange, why: Stop): void => {
  if (exchange.stopped !== undefined) return
  exchange.stopped = why
  exchange.onStop?.(why)
}

/** What every answer carries. */
export const commonHeaders = (requestId: string): string[] => [
  'x-request-id',
  requestId,
  'x-oneapi-request-id',
  requestId,
  'cache-control',
  'no-store',
  'x-content-type-options',
  'nosniff',
]

/** Begins the answer, once. */
export const writeHead = (exchange: Exchange, status: number, headers: readonly string[]): void => {
  const all = exchange.headers
  all.push(...headers)
  // A browser gets any answer, but never with its cookies: the key is what identifies the caller.
  if (exchange.request.headers.origin !== undefined)
    all.push('access-control-allow-origin', '*', 'access-control-expose-headers', '*')
  failpoint('caller head')
  exchange.response.writeHead(status, all)
  if (!exchange.copy) return
  exchange.copy.status = status
  exchange.copy.type = headers[headers.indexOf('content-type') + 1] ?? ''
}

/** What is joined is copied; above this, that costs more than it saves. */
const joinedMax = 16 * 1024

/**
 * More of a body whose length was not told, as one HTTP chunk. False where the caller must be waited for: until the
 * socket drains, or the response of a caller who asked for more before the answer to it.
 * Node itself writes a chunk as three pieces, which it joins a tick later: an eighth of what a paced stream costs.
 */
export const writeParts = (exchange: Exchange, parts: readonly Buffer[]): boolean => {
  if (exchange.copy) for (const part of parts) copyPart(exchange, part)
  const { response, hasWritten } = exchange
  const { socket } = response
  exchange.hasWritten = true
  let size = 0
  for (const part of parts) size += part.length
  // The first goes with the head, which Node holds back until then.
  if (hasWritten && socket && response.chunkedEncoding && size <= joinedMax)
    return socket.write(httpChunk(parts, size))
  let fits = true
  for (const part of parts) fits = response.write(part)
  return fits
}

// https://www.rfc-editor.org/rfc/rfc9112#section-7.1
const httpChunk = (parts: readonly Buffer[], size: number): Buffer => {
  const head = size.toString(16)
  const chunk = Buffer.allocUnsafe(head.length + size + 4)
  let at = chunk.write(head, 'latin1')
  at = endLine(chunk, at)
  for (const part of parts) at += part.copy(chunk, at)
  endLine(chunk, at)
  return chunk
}

const endLine = (bytes: Buffer, at: number): number => {
  bytes[at] = 0x0d
  bytes[at + 1] = 0x0a
  return at + 2
}

export const endWith = (exchange: Exchange, part: Buffer): void => {
  if (exchange.copy) {
    copyPart(exchange, part)
    exchange.copy.isWhole = exchange.stopped === undefined
  }
  failpoint('caller end')
  // As text of one byte a character a small answer is joined with its head: one write, and not one of two pieces.
  const { response, hasWritten } = exchange
  if (hasWritten || part.length > joinedMax) response.end(part)
  else response.end(part.toString('latin1'), 'latin1')
  failpoint('caller ended')
}

const copyMax = 1024 * 1024

const copyPart = (exchange: Exchange, part: Buffer) => {
  const copy = exchange.copy!
  copy.size += part.length
  if (copy.size <= copyMax) copy.chunks.push(part)
  else exchange.copy = undefined
}

/** Answers a refusal in the caller's own dialect. */
export const writeFault = (exchange: Exchange, dialect: Dialect, fault: Fault): void => {
  if (exchange.told) {
    const { status, type, body } = exchange.told
    writeWhole(exchange, status, ['content-type', type], body)
    return
  }
  const { status, headers, body } = dialect.encodeFault(told(exchange, fault))
  const all = ['content-type', 'application/json; charset=utf-8']
  for (const [name, value] of Object.entries(headers))
    if (name.toLowerCase() === 'content-type') all[1] = value
    else if (!exchange.headers.includes(name)) all.push(name, value)
  if (fault.retryAfterSeconds !== undefined)
    all.push('retry-after', String(Math.ceil(fault.retryAfterSeconds)))
  writeWhole(exchange, status, all, Buffer.from(body))
}

export const writeWhole = (
  exchange: Exchange,
  status: number,
  headers: readonly string[],
  body: Buffer,
): void => {
  writeHead(exchange, status, [...headers, 'content-length', String(body.length)])
  endWith(exchange, body)
}

export const writeJson = (exchange: Exchange, value: unknown): void =>
  writeWhole(
    exchange,
    200,
    ['content-type', 'application/json; charset=utf-8'],
    Buffer.from(JSON.stringify(value)),
  )

export const told = (exchange: Exchange, fault: Fault) => ({
  code: fault.code,
  status: fault.status,
  message: fault.message || faults[fault.code][1],
  requestId: exchange.requestId,
  ...(fault.retryAfterSeconds === undefined
    ? {}
    : { retryAfterSeconds: Math.ceil(fault.retryAfterSeconds) }),
})
