import { type Endpoint, Fault, type FaultCode } from '@hub/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { App } from '../core/app.ts'

/** The one place where an answer gets its envelope. What the reply schema does not name is not sent. */
export const answer = (endpoint: Endpoint, value: unknown): unknown => {
  const read = endpoint.reply.safeParse(value)
  if (!read.success)
    throw new Fault('server.failed', { detail: `the reply breaks its contract: ${read.error}` })
  if (endpoint.envelope === false) return read.data
  return { success: true, message: '', data: read.data ?? null }
}

/** The one place where a refusal becomes a response. */
export const refuse = (app: App, request: FastifyRequest, reply: FastifyReply, error: unknown) => {
  const fault = faultOf(error)
  const { code, message, status } = fault
  const said = { code, detail: fault.detail, err: fault.cause, url: request.routeOptions.url }
  if (status >= 500) app.log.error(said, message)
  else app.log.debug(said, message)
  if (fault.retryAfterSeconds !== undefined)
    reply.header('retry-after', Math.max(1, Math.ceil(fault.retryAfterSeconds)))
  if (status === 413 || status === 408) reply.header('connection', 'close')
  return reply.status(status).send(shapeFor(request.url, code, message))
}

/** One Hub answers an unknown `/v1` address as OpenAI does, so that client libraries can read it. */
const shapeFor = (url: string, code: FaultCode, message: string) =>
  url.startsWith('/api')
    ? { success: false, message, code }
    : { error: { message, type: 'invalid_request_error', param: null, code } }

const faultOf = (error: unknown): Fault => {
  if (error instanceof Fault) return error
  const { code = '', statusCode = 500 } = error as { code?: string; statusCode?: number }
  const known = frameworkFaults[code]
  if (known) return new Fault(known)
  if (statusCode >= 400 && statusCode < 500)
    return new Fault('request.invalid', { status: statusCode, cause: error })
  return new Fault('server.failed', { cause: error })
}

const frameworkFaults: Record<string, FaultCode> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'request.media-type',
  FST_ERR_CTP_BODY_TOO_LARGE: 'request.too-large',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'request.unreadable',
  FST_ERR_CTP_INVALID_JSON_BODY: 'request.unreadable',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'request.invalid',
}
