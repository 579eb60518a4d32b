import { timingSafeEqual } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import type { App } from '../../core/app.ts'
import { sha256 } from '../../lib/random.ts'
import { addOperationGauges } from './gauges.ts'
import { notReadyReason } from './readiness.ts'

/** `/healthz`: the process runs. `/readyz`: it accepts work, so it must also be able to record what the work costs. */
export const registerHealth = (app: App, scope: FastifyInstance) => {
  scope.get('/healthz', async (_request, reply) => reply.type('text/plain').send('ok'))
  scope.get('/readyz', async (_request, reply) => {
    const reason = await notReadyReason(app)
    return reply
      .status(reason ? 503 : 200)
      .type('text/plain')
      .send(reason || 'ok')
  })
}

/** Serves Prometheus metrics with basic authentication. Without it, or if no credentials are set, it returns 404 as One Hub. */
export const registerMetrics = (app: App, scope: FastifyInstance) => {
  addOperationGauges(app)
  scope.get('/api/metrics', async (request, reply) => {
    if (!isAllowed(app, request.headers.authorization)) return reply.callNotFound()
    const registry = app.metrics.readRegistry()
    return reply.type(registry.contentType).send(await registry.metrics())
  })
}

const isAllowed = (app: App, authorization: string | undefined): boolean => {
  const { metrics } = app.env
  if (!metrics || !authorization) return false
  const expected = `Basic ${Buffer.from(`${metrics.user}:${metrics.password}`).toString('base64')}`
  return timingSafeEqual(Buffer.from(sha256(authorization)), Buffer.from(sha256(expected)))
}

/** Counts and times requests of the console's API by route pattern, because raw paths contain ids and names. */
export const registerRequestMetrics = (app: App, scope: FastifyInstance) => {
  scope.addHook('onResponse', async (request, reply) => {
    const labels = { method: request.method, path: request.routeOptions.url ?? 'unknown' }
    app.metrics.requests.inc({ ...labels, code: String(reply.statusCode) })
    app.metrics.requestSeconds.observe(labels, reply.elapsedTime / 1000)
  })
}
