import { timingSafeEqual } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import type { App } from '../core/app.ts'
import { sha256 } from '../lib/random.ts'

/** As One Hub: by name and password from the environment, and otherwise as if it were not there. */
export const registerMetrics = (app: App, scope: FastifyInstance) => {
  scope.get('/api/metrics', async (request, reply) => {
    if (!isAllowed(app, request.headers.authorization)) return reply.callNotFound()
    const { registry } = app.metrics
    return reply.type(registry.contentType).send(await registry.metrics())
  })
}

const isAllowed = (app: App, authorization: string | undefined): boolean => {
  const { metrics } = app.env
  if (!metrics || !authorization) return false
  const expected = `Basic ${Buffer.from(`${metrics.user}:${metrics.password}`).toString('base64')}`
  return timingSafeEqual(Buffer.from(sha256(authorization)), Buffer.from(sha256(expected)))
}

/** Counts console requests by route pattern: an address as sent may carry an id or a name. */
export const countRequests = (app: App, scope: FastifyInstance) => {
  scope.addHook('onResponse', async (request, reply) => {
    const labels = { method: request.method, path: request.routeOptions.url ?? 'unknown' }
    app.metrics.requests.inc({ ...labels, code: String(reply.statusCode) })
    app.metrics.requestSeconds.observe(labels, reply.elapsedTime / 1000)
  })
}
