import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { handleNotice } from '../../billing/orders/notices.ts'
import type { App } from '../../core/app.ts'
import { limitBodyTime } from '../body.ts'
import { requestAddress } from '../client-connection.ts'

/** No vendor sends more than a few kB. */
const noticeBytesMax = 64 * 1024

/**
 * Notifications of payment vendors, by any method and with any content type. They have no session and no origin, and a
 * vendor may send many from one address, so neither the checks nor the limits of the console apply.
 */
export const registerPaymentNotices = (app: App, scope: FastifyInstance) => {
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser(
    '*',
    { parseAs: 'buffer', bodyLimit: noticeBytesMax },
    (_request, body, done) => done(null, body),
  )
  limitBodyTime(scope)
  scope.route({
    method: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
    url: '/api/payment/notify/:uuid',
    exposeHeadRoute: false,
    handler: (request, reply) => answerNotice(app, request, reply),
  })
}

const answerNotice = async (app: App, request: FastifyRequest, reply: FastifyReply) => {
  const { uuid } = request.params as { uuid: string }
  const notice = {
    method: request.method,
    query: queryOf(request.raw.url ?? ''),
    headers: singleHeaders(request),
    body: Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0),
  }
  const { status, contentType, body } = await handleNotice(
    app,
    uuid,
    notice,
    requestAddress(app, request),
  )
  return reply.status(status).header('content-type', contentType).send(body)
}

const queryOf = (url: string): string => {
  const start = url.indexOf('?')
  return start < 0 ? '' : url.slice(start + 1)
}

/** A header that came twice may be read differently by a proxy, so it is left out. */
const singleHeaders = ({ raw }: FastifyRequest): Record<string, string> => {
  const headers: Record<string, string> = {}
  const repeated = new Set<string>()
  for (let n = 0; n < raw.rawHeaders.length; n += 2) {
    const name = raw.rawHeaders[n]!.toLowerCase()
    if (Object.hasOwn(headers, name)) repeated.add(name)
    headers[name] = raw.rawHeaders[n + 1]!
  }
  for (const name of repeated) delete headers[name]
  return headers
}
