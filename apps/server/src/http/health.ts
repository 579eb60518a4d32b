import type { FastifyInstance } from 'fastify'
import type { App } from '../core/app.ts'
import { isAnswering } from '../db/queries/health.ts'

const lagMillisecondsMax = 1000
const databaseMillisecondsMax = 1000

/** `/healthz`: the process lives. `/readyz`: it can take work, which means it can also record what the work costs. */
export const registerHealth = (app: App, scope: FastifyInstance) => {
  scope.get('/healthz', async (_request, reply) => reply.type('text/plain').send('ok'))
  scope.get('/readyz', async (_request, reply) => {
    const why = await whyNotReady(app)
    return reply
      .status(why ? 503 : 200)
      .type('text/plain')
      .send(why || 'ok')
  })
}

const whyNotReady = async (app: App): Promise<string> => {
  if (app.stopping()) return 'stopping'
  if (app.ledger.lag() > lagMillisecondsMax) return 'the ledger is behind'
  const limit = AbortSignal.timeout(databaseMillisecondsMax)
  const late = new Promise<boolean>(resolve =>
    limit.addEventListener('abort', () => resolve(false), { once: true }),
  )
  const isThere = await Promise.race([isAnswering(app.db), late])
  return isThere ? '' : 'the database does not answer'
}
