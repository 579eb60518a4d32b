import { type Endpoint, Fault, isAudited, readInput } from '@hub/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { App } from '../core/app.ts'
import type { Feature, ReadAuditedRows } from '../core/implement.ts'
import { authorize } from './access.ts'
import { withAudit } from './audit/audit.ts'
import { auditedRowsOf } from './audit/rows.ts'
import { sendEvents } from './events.ts'
import { limitAddress, limitUser, withinAddressLimit } from './rate-limits.ts'
import { makeResponse, sendFile } from './response.ts'
import { makeHttpContext } from './sessions/session.ts'

type Route = {
  action: string
  url: string
  endpoint: Endpoint
  run: Feature['handlers'][string]
  readRows: ReadAuditedRows | undefined
}

/** Registers a route for every endpoint of the contract, and a 405 for the other methods of its path. */
export const registerContract = (
  app: App,
  scope: FastifyInstance,
  features: Record<string, Feature>,
) => {
  const routes = listRoutes(features)
  for (const route of routes) registerRoute(app, scope, route)
  const byUrl = Map.groupBy(routes, route => route.url)
  for (const [url, routes] of byUrl) refuseOtherMethods(scope, url, routes)
}

/** Returns the path in the router's syntax: without a trailing slash (it accepts both), and with a bare `*` wildcard. */
export const routerUrl = (base: string, path: string): string =>
  `${base}${path}`.replace(/\*\w+$/, '*').replace(/(.)\/$/, '$1')

const listRoutes = (features: Record<string, Feature>): Route[] =>
  Object.entries(features).flatMap(([resource, feature]) => {
    const readRows = auditedRowsOf(feature)
    return Object.entries(feature.resource.endpoints).map(([name, endpoint]) => ({
      action: `${resource}.${name}`,
      url: routerUrl(feature.resource.base, endpoint.path),
      endpoint,
      run: feature.handlers[name]!,
      readRows,
    }))
  })

const registerRoute = (app: App, scope: FastifyInstance, route: Route) => {
  const { action, url, endpoint, run, readRows } = route
  scope.route({
    method: endpoint.method,
    url,
    handler: async (request, reply) => {
      const context = makeHttpContext(app, request, reply, action)
      await limitAddress(app, context.ip)
      const identity = await authorize(app, request, endpoint, url)
      if (identity) await limitUser(app, identity)
      const input = readInput(endpoint, { ...readParts(endpoint, request), body: request.body })
      const work = async () => run(app, identity ?? null, input, context)
      const audited = {
        action,
        endpoint,
        caller: identity,
        context,
        input: input as Record<string, unknown>,
        readRows,
      }
      const audit = () => (isAudited(endpoint) ? withAudit(app, audited, work) : work())
      const value = endpoint.limit
        ? await withinAddressLimit(app, endpoint.limit, context.ip, audit)
        : await audit()
      // This node applies the change before it answers, so that an administrator can use a new channel at once.
      if (endpoint.method !== 'GET') await app.changes.sync()
      if (endpoint.file) return sendFile(reply, endpoint, value)
      if (endpoint.events) return sendEvents(reply, endpoint, value)
      return makeResponse(endpoint, value)
    },
  })
}

/** Reads path parameters and query. The router calls a wildcard `*`; the contract gives it a name. */
const readParts = (endpoint: Endpoint, request: FastifyRequest) => {
  const params = request.params as Record<string, string>
  const name = /\*(\w+)$/.exec(endpoint.path)?.[1]
  return { params: name ? { [name]: params['*'] } : params, query: request.query }
}

const methods = ['GET', 'POST', 'PUT', 'DELETE', 'PATCH'] as const

/** Some GET endpoints of One Hub change data. Here they are POST, so that GET gets a 405 like any other wrong method. */
const refuseOtherMethods = (scope: FastifyInstance, url: string, routes: Route[]) => {
  const allowed = routes.map(route => route.endpoint.method as string)
  const allow = [...allowed, ...(allowed.includes('GET') ? ['HEAD'] : []), 'OPTIONS'].join(', ')
  scope.route({
    method: methods.filter(method => !allowed.includes(method)),
    url,
    // Runs before the body is parsed, since the body may have any content type.
    onRequest: async (_request, reply) => {
      reply.header('allow', allow)
      throw new Fault('route.method')
    },
    handler: async () => null,
  })
  scope.route({
    method: 'OPTIONS',
    url,
    handler: async (_request, reply) => reply.status(204).header('allow', allow).send(),
  })
}
