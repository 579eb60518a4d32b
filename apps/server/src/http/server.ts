import {
  createServer,
  type IncomingMessage,
  type ServerOptions,
  type ServerResponse,
} from 'node:http'
import cookie from '@fastify/cookie'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import type { App } from '../core/app.ts'
import type { Feature } from '../core/implement.ts'
import { readBodiesAsJson } from './body.ts'
import { registerConsole } from './console-files.ts'
import { registerHeaders } from './headers.ts'
import { registerHealth } from './health.ts'
import { countRequests, registerMetrics } from './metrics.ts'
import { registerOpenApi } from './openapi.ts'
import { refuse } from './reply.ts'
import { registerContract } from './routes.ts'

type Parts = {
  features: Record<string, Feature>
  /**
   * Puts the public AI routes onto the server; they bring their own body readers and refusals. Answers what takes over
   * whatever is posted to exactly these addresses.
   */
  relay: (app: App, scope: FastifyInstance) => ReadonlyMap<string, Posted>
  /** Where the built console lies. */
  consoleRoot: string
}

type Posted = (request: IncomingMessage, response: ServerResponse, requestId: string) => void

const connectionsMax = 16_384

/** A half-open or dripping connection is let go; a large relay body on a slow line is not, it has its own idle limit. */
const limits: ServerOptions = {
  headersTimeout: 15_000,
  requestTimeout: 0,
  connectionsCheckingInterval: 5_000,
  maxHeaderSize: 32_768,
  keepAliveTimeout: 72_000,
}

/** All doors of one app. Nothing listens yet. */
export const buildServer = async (app: App, parts: Parts): Promise<FastifyInstance> => {
  const nextId = () => String(app.ledger.nextId())
  let posted: ReadonlyMap<string, Posted> = new Map()
  const server = Fastify({
    // Nine of ten requests are chats: what their address alone says is not routed. A server that closes is Fastify's.
    serverFactory: route =>
      createServer(limits, (request, response) => {
        const isPost = request.method === 'POST' && !app.stopping()
        const take = isPost ? posted.get(request.url ?? '') : undefined
        if (take) take(request, response, nextId())
        else route(request, response)
      }),
    // What is refused is logged by `refuse`, and calls by their door. With a logger of its own every request would get a
    // child of it and two listeners, which cost more than reading its headers.
    logger: false,
    genReqId: nextId,
    requestIdHeader: false,
    trustProxy: false,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 500 },
    forceCloseConnections: 'idle',
    frameworkErrors: (error, request, reply) => refuse(app, request, reply as never, error),
  })
  server.server.maxConnections = connectionsMax
  server.setErrorHandler((error, request, reply) => refuse(app, request, reply, error))
  await server.register(async scope => {
    posted = parts.relay(app, scope)
  })
  await server.register(async scope => {
    scope.addHook('onRequest', tellRequestId)
    registerHealth(app, scope)
    await registerHeaders(app, scope)
    await scope.register(cookie)
    readBodiesAsJson(scope)
    countRequests(app, scope)
    registerMetrics(app, scope)
    registerContract(app, scope, parts.features)
    await registerOpenApi(scope, parts.features)
    await registerConsole(scope, parts.consoleRoot)
  })
  await server.ready()
  return server
}

const tellRequestId = (request: FastifyRequest, reply: FastifyReply, done: () => void) => {
  reply.header('x-oneapi-request-id', request.id).header('x-request-id', request.id)
  done()
}
