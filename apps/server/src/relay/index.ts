import { Fault } from '@hub/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { App } from '../core/app.ts'
import { virtualModelIndex } from './channels/virtual-models.ts'
import { countTokens } from './count-tokens.ts'
import { errorLog } from './error-log/error-log.ts'
import { type RelayOperation, type Route, wantsWebSocket } from './formats/route.ts'
import { createListener, type Handler, type RequestListener } from './handler.ts'
import { showKeyUsage, showSubscription, showUsage } from './model-list/billing-status.ts'
import { listModelsHandler, showModelHandler } from './model-list/models.ts'
import { compaction } from './operations/chat.ts'
import { operations, type PostedOperation } from './operations/table.ts'
import { reasoningSamples } from './response/left/samples.ts'
import { writeResponse } from './response/write.ts'
import { serveImage } from './result-storage/images.ts'
import { channelIndex } from './routing/channel-index.ts'
import { runningCooldown } from './routing/cooldown.ts'
import { receiveCooldowns } from './routing/shared-cooldowns.ts'
import { createCallHandler } from './run-call.ts'

export { pollBackgroundCalls } from './background/poll-background.ts'
export { liveCalls } from './limits/live-calls.ts'
export { removeSpoolLeftovers } from './request/spool.ts'
export { removeExpiredImages } from './result-storage/images.ts'

/** Reads the channels and virtual models, so that the first call does not wait for them, and listens to the cooldowns of other nodes. */
export const loadChannels = async (app: App): Promise<void> => {
  await Promise.all([channelIndex(app).get(), virtualModelIndex(app).get()])
  receiveCooldowns(app)
}

/** Writes the errors that still wait for the next batch. */
export const flushErrorLog = (app: App): Promise<void> => errorLog(app).flush()

/** Writes the samples of hidden reasoning that still wait for the next batch. */
export const flushReasoningSamples = (app: App): Promise<void> => reasoningSamples(app).flush()

const callHandlers = Object.fromEntries(
  Object.entries(operations).map(([id, operation]) => [id, createCallHandler(operation)]),
) as Record<PostedOperation, Handler>

const handlers: Record<RelayOperation, Handler> = {
  ...callHandlers,
  compact: createCallHandler(compaction),
  count: countTokens,
  models: listModelsHandler,
  'image-file': serveImage,
  model: showModelHandler,
  subscription: showSubscription,
  'key-usage': showKeyUsage,
  usage: showUsage,
  unknown: async (_app, context) => {
    if (!wantsWebSocket(context.request)) throw new Fault('route.unknown')
    // Codex sends a POST at once on a 426, and on a 404 only after 7 s (Codex 0.169, `codex-rs/core/src/client.rs`).
    context.response.headers.push('connection', 'close')
    throw new Fault('route.websocket')
  },
  // Its sessions are served over a WebSocket.
  realtime: async () => {
    throw new Fault('route.unknown')
  },
  hello: async (_app, context) => writeResponse(context, 200, [], Buffer.alloc(0)),
}

/**
 * Registers every public AI route on a scope of its own; the relay reads bodies itself, as bytes. Returns the listeners
 * of POST routes with a fixed path, chats above all, so that the server can skip its router for them.
 */
export const registerRelay = (
  app: App,
  scope: FastifyInstance,
  routes: readonly Route[],
): ReadonlyMap<string, RequestListener> => {
  addGauges(app)
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser('*', (_request, _body, done) => done(null))
  const fixedPosts = new Map<string, RequestListener>()
  const byAddress = Map.groupBy(routes, each => `${each.method} ${each.path}`)
  for (const sharing of byAddress.values()) {
    const { method, path } = sharing[0]!
    const listener = listenerFor(app, sharing)
    scope.route({ method, url: path, onRequest: takeOver(listener), handler: unreached })
    if (method === 'POST' && !/[:*]/.test(path)) fixedPosts.set(path, listener)
  }
  for (const path of new Set(routes.map(each => each.path))) scope.options(path, answerPreflight)
  return fixedPosts
}

const handlerOf = (route: Route): Handler => route.handler ?? handlers[route.operation]

/** Uses the first matching route where several share an address. */
const listenerFor = (app: App, sharing: readonly Route[]): RequestListener => {
  const listeners = sharing.map(route => createListener(app, route, handlerOf(route)))
  if (listeners.length === 1) return listeners[0]!
  return (request, response, requestId) => {
    const index = sharing.findIndex(each => each.matches?.(request) ?? true)
    listeners[index]!(request, response, requestId)
  }
}

/** Takes the request from Fastify before it looks at the body. */
const takeOver = (listener: RequestListener) => (request: FastifyRequest, reply: FastifyReply) => {
  reply.hijack()
  listener(request.raw, reply.raw, request.id)
}

const unreached = () => undefined

/** Allows any origin, never with cookies: a page must know the key itself. */
const answerPreflight = (request: FastifyRequest, reply: FastifyReply) => {
  const headers = request.headers['access-control-request-headers'] ?? ''
  return reply
    .code(204)
    .header('access-control-allow-origin', '*')
    .header('access-control-allow-methods', 'GET, POST, PATCH, DELETE, OPTIONS')
    .header('access-control-allow-headers', isHeaderList(headers) ? headers : '*')
    .header('access-control-max-age', '86400')
    .header('vary', 'access-control-request-headers')
    .send()
}

const isHeaderList = (names: string) =>
  names.length < 2_000 && /^[a-z0-9-]+(\s*,\s*[a-z0-9-]+)*$/i.test(names)

const addGauges = (app: App): void => {
  app.metrics.addGauge({
    name: 'hub_channels_cooling',
    help: 'Enabled channels that cool down, for one model at least',
    read: async () => {
      const { byId } = await channelIndex(app).get()
      return [...byId.values()].filter(each => runningCooldown(app, each)).length
    },
  })
}
