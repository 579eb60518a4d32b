import { type Fault, faults } from '@hub/contract'
import type { CallerFormat } from '@hub/dialects'
import { failpoint } from '../../lib/failpoint.ts'
import type { ResponseState } from '../call-state.ts'
import type { RequestContext } from '../context.ts'

/** Headers of every answer: name and value in turn. */
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

export const streamHeaders = ({
  streamContentType = 'text/event-stream; charset=utf-8',
}: CallerFormat) => ['content-type', streamContentType, 'x-accel-buffering', 'no']

/** Sends the head of an answer of unknown length, unless a ping was sent with it before. */
export const beginAnswer = (
  context: RequestContext,
  headers: readonly string[] = streamHeaders(context.dialect),
): void => {
  if (!context.response.stream.headersSent) writeHead(context, 200, headers)
}

/** Begins the answer, once. */
export const writeHead = (
  context: RequestContext,
  status: number,
  headers: readonly string[],
): void => {
  const all = context.response.headers
  all.push(...headers)
  // Every origin may read an answer, but never with its cookies: only the key identifies the caller.
  if (context.request.headers.origin !== undefined)
    all.push('access-control-allow-origin', '*', 'access-control-expose-headers', '*')
  failpoint('caller head')
  context.response.stream.writeHead(status, all)
  context.response.status = status
  if (!context.response.recorded) return
  context.response.recorded.status = status
  context.response.recorded.type = headers[headers.indexOf('content-type') + 1] ?? ''
}

type WrittenResponse = Pick<ResponseState, 'stream' | 'hasWritten' | 'recorded'>

/** Joining copies the bytes; above this size the copy costs more than a second write. */
const joinedMax = 16 * 1024

/**
 * Writes parts of a body of unknown length as one HTTP chunk. Returns false where the caller must drain first.
 * Node writes a chunk as three pieces and joins them a tick later, which costs an eighth of a paced stream.
 */
export const writeChunks = (response: WrittenResponse, parts: readonly Buffer[]): boolean => {
  for (const part of parts) recordPart(response, part)
  const { stream, hasWritten } = response
  const { socket } = stream
  response.hasWritten = true
  let size = 0
  for (const part of parts) size += part.length
  // A vendor's connection may pass on empty pieces. A chunk of no bytes would end the answer.
  if (size === 0) return true
  // Node delays the head until the first write, so the first parts go through Node. Parts that it holds until the next tick must
  // not be overtaken.
  const isHeld = stream.writableCorked > 0
  if (hasWritten && socket && stream.chunkedEncoding && size <= joinedMax && !isHeld)
    return socket.write(httpChunk(parts, size))
  let isDrained = true
  for (const part of parts) isDrained = stream.write(part)
  return isDrained
}

// https://www.rfc-editor.org/rfc/rfc9112#section-7.1
const httpChunk = (parts: readonly Buffer[], size: number): Buffer => {
  const head = size.toString(16)
  const chunk = Buffer.allocUnsafe(head.length + size + 4)
  let offset = chunk.write(head, 'latin1')
  offset = writeLineEnd(chunk, offset)
  for (const part of parts) offset += part.copy(chunk, offset)
  writeLineEnd(chunk, offset)
  return chunk
}

const writeLineEnd = (bytes: Buffer, offset: number): number => {
  bytes[offset] = 0x0d
  bytes[offset + 1] = 0x0a
  return offset + 2
}

export const endResponse = (context: RequestContext, part: Buffer): void => {
  recordPart(context.response, part)
  if (context.response.recorded)
    context.response.recorded.isComplete = context.abort.reason === undefined
  failpoint('caller end')
  // Node joins a latin1 string with the head into one write; a buffer would be a second piece.
  const { stream, hasWritten } = context.response
  if (hasWritten || part.length > joinedMax) stream.end(part)
  else stream.end(part.toString('latin1'), 'latin1')
  failpoint('caller ended')
}

/** Longer answers are not replayed. */
const recordedMax = 1024 * 1024

const recordPart = (response: WrittenResponse, part: Buffer) => {
  const { recorded } = response
  if (!recorded) return
  recorded.size += part.length
  if (recorded.size <= recordedMax) recorded.chunks.push(part)
  else response.recorded = undefined
}

/** Answers a fault in the caller's dialect, or with the vendor's own refusal where there is one. */
export const writeFault = (context: RequestContext, fault: Fault): void => {
  if (context.record.upstreamError) {
    const { status, type, body } = context.record.upstreamError
    context.response.sentError = body
    writeResponse(context, status, ['content-type', type], body)
    return
  }
  const { status, headers, body } = context.dialect.encodeFault(errorInfo(context, fault))
  context.response.sentError = body
  const all = ['content-type', 'application/json; charset=utf-8']
  for (const [name, value] of Object.entries(headers))
    if (name.toLowerCase() === 'content-type') all[1] = value
    else if (!isNamed(context.response.headers, name)) all.push(name, value)
  if (fault.retryAfterSeconds !== undefined)
    all.push('retry-after', String(Math.ceil(fault.retryAfterSeconds)))
  writeResponse(context, status, all, Buffer.from(body))
}

/** Tells whether a list of names and values in turn has the name. */
const isNamed = (headers: readonly string[], name: string): boolean =>
  headers.some((each, at) => at % 2 === 0 && each === name)

/** Writes a whole answer. */
export const writeResponse = (
  context: RequestContext,
  status: number,
  headers: readonly string[],
  body: Buffer,
): void => {
  writeHead(context, status, [...headers, 'content-length', String(body.length)])
  endResponse(context, body)
}

export const writeJson = (context: RequestContext, value: unknown): void =>
  writeResponse(
    context,
    200,
    ['content-type', 'application/json; charset=utf-8'],
    Buffer.from(JSON.stringify(value)),
  )

/** The parts of a fault that every dialect's error body is made of. */
export const errorInfo = ({ requestId }: Pick<RequestContext, 'requestId'>, fault: Fault) => ({
  code: fault.code,
  status: fault.status,
  message: fault.message || faults[fault.code][1],
  requestId,
  ...(fault.retryAfterSeconds === undefined
    ? {}
    : { retryAfterSeconds: Math.ceil(fault.retryAfterSeconds) }),
})

/** A fault after the head was sent with a ping: an event of the stream, or the body of a whole answer. */
export const lateFault = (context: RequestContext, fault: Fault): Buffer => {
  if (context.record.isStream) return errorEvent(context, fault)
  const { record, dialect } = context
  const body =
    record.upstreamError?.body ?? Buffer.from(dialect.encodeFault(errorInfo(context, fault)).body)
  context.response.sentError = body
  return body
}

/** The observer passes whole frames only, so an event may follow whatever was written. */
export const errorEvent = (context: RequestContext, fault: Fault): Buffer => {
  const event = context.dialect.encodeFaultEvent(errorInfo(context, fault))
  context.response.sentError = event
  return Buffer.from(event)
}
