import cookie from '@fastify/cookie'
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify'
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
  /** Puts the public AI routes onto the server; they bring their own body readers and refusals. */
  relay: (app: App, scope: FastifyInstance) => unknown
  /** Where the built console lies. */
  consoleRoot: string
}

const connectionsMax = 16_384

/** All doors of one app. Nothing listens yet. */
export const buildServer = async (app: App, parts: Parts): Promise<FastifyInstance> => {
  const server = Fastify({
    loggerInstance: app.log as FastifyBaseLogger,
    logController: new Fastify.LogController({ disableRequestLogging: true }),
    // A child logger for every request costs more than reading its headers.
    childLoggerFactory: logger => logger,
    genReqId: () => String(app.ledger.nextId()),
    requestIdHeader: false,
    trustProxy: false,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 500 },
    // A half-open or dripping connection is let go; a large relay body on a slow line is not, it has its own idle limit.
    http: {
      headersTimeout: 15_000,
      requestTimeout: 0,
      connectionsCheckingInterval: 5_000,
      maxHeaderSize: 32_768,
    },
    keepAliveTimeout: 72_000,
    forceCloseConnections: 'idle',
    frameworkErrors: (error, request, reply) => refuse(request, reply as never, error),
  })
  server.server.maxConnections = connectionsMax
  server.setErrorHandler((error, request, reply) => refuse(request, reply, error))
  await server.register(async scope => {
    await parts.relay(app, scope)
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
