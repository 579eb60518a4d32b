import { Readable } from 'node:stream'
import {
  type Endpoint,
  Fault,
  type FaultCode,
  type FileResponse,
  type FileStream,
} from '@hub/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import type { App } from '../core/app.ts'
import {
  hasNul,
  isDatabaseBusy,
  isQueryCanceled,
  isStorageFull,
} from '../db/engines/query-errors.ts'

/** Puts a handler's result into the envelope. Fields that the response schema does not name are removed. */
export const makeResponse = (endpoint: Endpoint, value: unknown): unknown => {
  const read = endpoint.response.safeParse(value)
  if (!read.success)
    throw new Fault('server.failed', {
      detail: `the response does not match its contract: ${read.error}`,
    })
  if (endpoint.envelope === false) return read.data
  return { success: true, message: '', data: read.data ?? null }
}

/** Sends a file that the browser stores instead of showing. */
export const sendFile = (reply: FastifyReply, endpoint: Endpoint, value: unknown) => {
  const { name, type, content } = endpoint.response.parse(value) as z.output<
    typeof FileResponse | typeof FileStream
  >
  return reply
    .header('content-type', type)
    .header('content-disposition', `attachment; filename="${name}"`)
    .header('cache-control', 'private, no-store')
    .send(
      content instanceof Uint8Array
        ? Buffer.from(content.buffer, content.byteOffset, content.byteLength)
        : // An error breaks the connection, so that no client takes a part for the whole file.
          Readable.from(content, { objectMode: false }),
    )
}

/** Logs an error and sends it as a response. */
export const sendError = (
  app: App,
  request: FastifyRequest,
  reply: FastifyReply,
  error: unknown,
) => {
  const fault = toFault(request.method, error)
  const { code, message, status, data } = fault
  const details = { code, detail: fault.detail, err: fault.cause, url: request.routeOptions.url }
  if (status >= 500) app.log.error(details, message)
  else app.log.debug(details, message)
  if (fault.retryAfterSeconds !== undefined)
    reply.header('retry-after', Math.max(1, Math.ceil(fault.retryAfterSeconds)))
  if (status === 413 || status === 408) reply.header('connection', 'close')
  return reply.status(status).send(errorBody(request.url, { code, message, data }))
}

/** Unknown paths outside `/api` get OpenAI's error format, as in One Hub, so that client libraries can read it. */
const errorBody = (
  url: string,
  { code, message, data }: { code: FaultCode; message: string; data: unknown },
) =>
  url.startsWith('/api')
    ? { success: false, message, code, ...(data !== undefined && { data }) }
    : { error: { message, type: 'invalid_request_error', param: null, code } }

const nulHint = 'It contains the character U+0000, which cannot be stored; remove it.'

const toFault = (method: string, error: unknown): Fault => {
  if (isStorageFull(error)) return new Fault('server.storage_full', { cause: error })
  if (method === 'GET' && isQueryCanceled(error))
    return new Fault('request.too_slow', { cause: error })
  // Nothing was changed, so that whoever asked may repeat it.
  if (isDatabaseBusy(error) || (method !== 'GET' && isQueryCanceled(error)))
    return new Fault('server.busy', { cause: error, retryAfterSeconds: 1 })
  if (error instanceof Fault) return error
  if (hasNul(error)) return new Fault('request.invalid', { hint: nulHint, cause: error })
  const { code = '', statusCode = 500 } = error as { code?: string; statusCode?: number }
  const frameworkCode = frameworkFaults[code]
  if (frameworkCode) return new Fault(frameworkCode)
  if (statusCode >= 400 && statusCode < 500)
    return new Fault('request.invalid', { status: statusCode, cause: error })
  return new Fault('server.failed', { cause: error })
}

const frameworkFaults: Record<string, FaultCode> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'request.media_type',
  FST_ERR_CTP_BODY_TOO_LARGE: 'request.too_large',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'request.unreadable',
  FST_ERR_CTP_INVALID_JSON_BODY: 'request.unreadable',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'request.invalid',
}
