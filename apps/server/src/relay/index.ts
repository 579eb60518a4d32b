import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { App } from '../core/app.ts'
import { relayCount } from './count.ts'
import { type Door, relayDoor, type Serve } from './door.ts'
import { writeWhole } from './exchange.ts'
import { relaySubscription, relayUsage } from './listing/billing.ts'
import { relayModel, relayModels } from './listing/models.ts'
import { relayCall } from './relay.ts'
import { relayKept } from './stored/serve.ts'
import { type Operation, type Row, surface } from './surface.ts'

export { updateBalance } from './channels/balance.ts'
export { fetchModels } from './channels/fetch-models.ts'
export { lastRounds, runDueRound, startRound } from './channels/rounds.ts'
export { testChannel } from './channels/test-channel.ts'
export { drain } from './live.ts'
export { lookAfterRunning } from './stored/look.ts'

const serves: Record<Operation, Serve> = {
  chat: relayCall,
  embeddings: relayCall,
  count: relayCount,
  compact: relayCall,
  answer: relayKept,
  'answer-delete': relayKept,
  'answer-cancel': relayKept,
  'answer-input': relayKept,
  models: relayModels,
  model: relayModel,
  subscription: relaySubscription,
  usage: relayUsage,
  hello: async (_app, exchange) => writeWhole(exchange, 200, [], Buffer.alloc(0)),
}

/**
 * Puts every public AI address onto a scope of its own: bodies are read by the relay, as bytes. Answers the doors of what
 * is posted to one fixed address, chats above all, so that these need no router.
 */
export const registerRelay = (app: App, scope: FastifyInstance): ReadonlyMap<string, Door> => {
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser('*', (_request, _body, done) => done(null))
  const posted = new Map<string, Door>()
  const addresses = Map.groupBy(surface, each => `${each.method} ${each.path}`)
  for (const rows of addresses.values()) {
    const { method, path } = rows[0]!
    const door = doorOf(app, rows)
    scope.route({ method, url: path, onRequest: takenOver(door), handler: unreached })
    if (method === 'POST' && !/[:*]/.test(path)) posted.set(path, door)
  }
  for (const path of new Set(surface.map(each => each.path))) scope.options(path, answerPreflight)
  return posted
}

/** Where an address has several rows, the request says which of their doors it is. */
const doorOf = (app: App, rows: readonly Row[]): Door => {
  const doors = rows.map(row => relayDoor(app, row, serves[row.operation]))
  if (doors.length === 1) return doors[0]!
  return (request, response, requestId) =>
    doors[rows.findIndex(each => each.fits?.(request) ?? true)]!(request, response, requestId)
}

/** Before Fastify would look at the body. */
const takenOver = (door: Door) => (request: FastifyRequest, reply: FastifyReply) => {
  reply.hijack()
  door(request.raw, reply.raw, request.id)
}

const unreached = () => undefined

/** Any origin, never with cookies: what identifies a caller is a key that the page itself must know. */
const answerPreflight = (request: FastifyRequest, reply: FastifyReply) => {
  const wanted = request.headers['access-control-request-headers'] ?? ''
  return reply
    .code(204)
    .header('access-control-allow-origin', '*')
    .header('access-control-allow-methods', 'GET, POST, DELETE, OPTIONS')
    .header('access-control-allow-headers', isPlain(wanted) ? wanted : '*')
    .header('access-control-max-age', '86400')
    .header('vary', 'access-control-request-headers')
    .send()
}

const isPlain = (names: string) =>
  names.length < 2_000 && /^[a-z0-9-]+(\s*,\s*[a-z0-9-]+)*$/i.test(names)
