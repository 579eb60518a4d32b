import {
  createServer,
  type IncomingMessage,
  type ServerOptions,
  type ServerResponse,
} from 'node:http'
import type { Socket } from 'node:net'
import cookie from '@fastify/cookie'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import type { App } from '../core/app.ts'
import type { Feature } from '../core/implement.ts'
import { makeAddressSet, privateRanges } from '../lib/ip.ts'
import { acceptOnlyJson } from './body.ts'
import { limitConnections } from './connections.ts'
import { registerAnalytics } from './console/analytics.ts'
import { registerCompression } from './console/compression.ts'
import { registerConsole } from './console/files.ts'
import { registerSiteFiles } from './console/site-files.ts'
import { registerHealth, registerMetrics, registerRequestMetrics } from './monitoring/routes.ts'
import { registerPaymentNotices } from './notices/payment-notices.ts'
import { registerTelegramWebhook } from './notices/telegram-webhook.ts'
import { registerOpenApi } from './openapi/openapi.ts'
import { sendError } from './response.ts'
import { registerContract } from './routes.ts'
import { registerSecurityHeaders } from './security-headers.ts'

type ServerParts = {
  features: Record<string, Feature>
  /**
   * Registers the public AI routes, which have their own body parsers and error formats. Returns handlers that take
   * POST requests to exactly these URLs before the router.
   */
  relay: (app: App, scope: FastifyInstance) => ReadonlyMap<string, RawPostHandler>
  /** Finds the listener of a request that asks for a WebSocket; undefined for one that is served over HTTP. */
  upgrades: (app: App) => (request: IncomingMessage) => UpgradeListener | undefined
  /** Folder of the built console. */
  consoleRoot: string
}

type RawPostHandler = (
  request: IncomingMessage,
  response: ServerResponse,
  requestId: string,
) => void

type UpgradeListener = (
  request: IncomingMessage,
  socket: Socket,
  head: Buffer,
  requestId: string,
) => void

const connectionsMax = 16_384

/** Closes connections that send their headers too slowly. Relay bodies may be large and slow; they have an idle limit. */
const limits: ServerOptions = {
  headersTimeout: 15_000,
  requestTimeout: 0,
  connectionsCheckingInterval: 5_000,
  maxHeaderSize: 32_768,
  keepAliveTimeout: 72_000,
}

/** Builds the HTTP server of an app with all its routes. It does not listen yet. */
export const buildServer = async (app: App, parts: ServerParts): Promise<FastifyInstance> => {
  const nextId = () => String(app.ledger.nextId())
  let rawPostHandlers: ReadonlyMap<string, RawPostHandler> = new Map()
  const findUpgrade = parts.upgrades(app)
  const shouldUpgradeCallback = (request: IncomingMessage) =>
    !hasTwoHosts(request) && findUpgrade(request) !== undefined
  const server = Fastify({
    // Most requests are chats, so POSTs to known URLs bypass the router. A server that accepts no more leaves them to Fastify.
    serverFactory: route =>
      createServer({ ...limits, shouldUpgradeCallback }, (request, response) => {
        response.once('finish', () => closeUnreadBody(request))
        if (hasTwoHosts(request)) return refuseRequest(response)
        const isPost = request.method === 'POST' && app.accepting()
        const handle = isPost ? rawPostHandlers.get(request.url ?? '') : undefined
        if (handle) handle(request, response, nextId())
        else route(request, response)
      }),
    // `sendError` and the relay handler write the logs. Fastify's logger would add a child logger and two listeners to
    // every request, which cost more than parsing its headers.
    logger: false,
    genReqId: nextId,
    requestIdHeader: false,
    trustProxy: false,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 500 },
    forceCloseConnections: 'idle',
    frameworkErrors: (error, request, reply) => sendError(app, request, reply as never, error),
  })
  server.server.maxConnections = connectionsMax
  limitConnections(server.server, makeAddressSet([...privateRanges, ...app.env.trustedProxies]))
  server.server.on('upgrade', (request, socket, head) =>
    findUpgrade(request)?.(request, socket as Socket, head, nextId()),
  )
  server.setErrorHandler((error, request, reply) => sendError(app, request, reply, error))
  await server.register(async scope => {
    rawPostHandlers = parts.relay(app, scope)
  })
  await server.register(async scope => registerPaymentNotices(app, scope))
  await server.register(async scope => registerTelegramWebhook(app, scope))
  await server.register(async scope => {
    scope.addHook('onRequest', setRequestIdHeaders)
    registerHealth(app, scope)
    await registerSecurityHeaders(app, scope)
    await registerCompression(app, scope)
    await scope.register(cookie)
    acceptOnlyJson(scope)
    registerRequestMetrics(app, scope)
    registerMetrics(app, scope)
    registerAnalytics(app, scope)
    registerSiteFiles(app, scope)
    registerContract(app, scope, parts.features)
    await registerOpenApi(scope, parts.features)
    await registerConsole(scope, parts.consoleRoot)
  })
  await server.ready()
  return server
}

const refuseRequest = (response: ServerResponse) => {
  response.writeHead(400, { connection: 'close', 'content-type': 'text/plain' })
  response.end('A request has one Host header.')
}

const setRequestIdHeaders = (request: FastifyRequest, reply: FastifyReply, done: () => void) => {
  reply.header('x-oneapi-request-id', request.id).header('x-request-id', request.id)
  done()
}

/** Time for a caller to read a refusal while it still sends its body. */
const unreadBodyMs = 5_000

/** Ends the connection of a request that was answered before its body was read, if the body keeps coming. */
const closeUnreadBody = (request: IncomingMessage): void => {
  if (request.complete) return
  const timer = setTimeout(() => request.socket.destroy(), unreadBodyMs)
  timer.unref()
  request.once('close', () => clearTimeout(timer))
}

/** Two Host headers let a proxy and this server see different hosts. https://www.rfc-editor.org/rfc/rfc9112#section-3.2 */
const hasTwoHosts = ({ rawHeaders }: IncomingMessage): boolean => {
  let hosts = 0
  for (let n = 0; n < rawHeaders.length; n += 2) {
    const name = rawHeaders[n]!
    if (name.length === 4 && name.toLowerCase() === 'host') hosts++
  }
  return hosts > 1
}
