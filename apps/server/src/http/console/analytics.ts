import { Fault, readAnalytics } from '@hub/contract'
import type { FastifyInstance } from 'fastify'
import type { App } from '../../core/app.ts'

/**
 * Serves the scripts of the analytics code that have a text, because the policy of the page allows files only. `n` counts
 * the scripts from 0.
 */
export const registerAnalytics = (app: App, scope: FastifyInstance) => {
  scope.get<{ Params: { n: string } }>('/api/analytics/:n.js', async (request, reply) => {
    const scripts = readAnalytics(app.settings().analytics.AnalyticsCode) ?? []
    const script = scripts[Number(request.params.n)]
    if (!script?.text) throw new Fault('route.unknown')
    return reply.type('text/javascript; charset=utf-8').send(script.text)
  })
}
