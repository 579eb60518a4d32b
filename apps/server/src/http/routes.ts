import { type Endpoint, Fault, readInput } from '@hub/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { App } from '../core/app.ts'
import type { Feature } from '../core/implement.ts'
import { admitted } from './access.ts'
import { audited, isAudited } from './audit.ts'
import { limitCritical } from './limit.ts'
import { answer } from './reply.ts'
import { makeVisit } from './session.ts'

type Route = { action: string; url: string; endpoint: Endpoint; run: Feature['handlers'][string] }

/** Every endpoint of the contract, and a 405 for each method that its address does not have. */
export const registerContract = (
  app: App,
  scope: FastifyInstance,
  features: Record<string, Feature>,
) => {
  const routes = routesOf(features)
  for (const route of routes) registerRoute(app, scope, route)
  const urls = Map.groupBy(routes, route => route.url)
  for (const [url, known] of urls) registerOthers(scope, url, known)
}

/** The address as the router wants it: no slash at the end (it takes both), and a bare `*` for the rest of a path. */
export const urlOf = (base: string, path: string): string =>
  `${base}${path}`.replace(/\*\w+$/, '*').replace(/(.)\/$/, '$1')

const routesOf = (features: Record<string, Feature>): Route[] =>
  Object.entries(features).flatMap(([resource, feature]) =>
    Object.entries(feature.resource.endpoints).map(([name, endpoint]) => ({
      action: `${resource}.${name}`,
      url: urlOf(feature.resource.base, endpoint.path),
      endpoint,
      run: feature.handlers[name]!,
    })),
  )

const registerRoute = (app: App, scope: FastifyInstance, route: Route) => {
  const { action, url, endpoint, run } = route
  scope.route({
    method: endpoint.method,
    url,
    handler: async (request, reply) => {
      const visit = makeVisit(app, request, reply)
      const identity = await admitted(app, request, endpoint, url)
      if (endpoint.limit === 'critical') await limitCritical(app, visit.ip)
      const input = readInput(endpoint, { ...partsOf(endpoint, request), body: request.body })
      const work = async () => run(app, identity ?? null, input, visit)
      const asked = {
        action,
        endpoint,
        caller: identity,
        visit,
        input: input as Record<string, unknown>,
      }
      const value = isAudited(endpoint) ? await audited(app, asked, work) : await work()
      // Whoever adds a channel and calls it at once finds it there.
      if (endpoint.method !== 'GET') await app.topics.catchUp()
      return answer(endpoint, value)
    },
  })
}

/** The router calls the rest of a path `*`; the contract gives it a name. */
const partsOf = (endpoint: Endpoint, request: FastifyRequest) => {
  const params = request.params as Record<string, string>
  const name = /\*(\w+)$/.exec(endpoint.path)?.[1]
  return { params: name ? { [name]: params['*'] } : params, query: request.query }
}

const methods = ['GET', 'POST', 'PUT', 'DELETE', 'PATCH'] as const

/** Also what makes the GETs of One Hub that changed something answer 405: their addresses exist, as POST. */
const registerOthers = (scope: FastifyInstance, url: string, known: Route[]) => {
  const allowed = known.map(route => route.endpoint.method as string)
  const allow = [...allowed, ...(allowed.includes('GET') ? ['HEAD'] : []), 'OPTIONS'].join(', ')
  scope.route({
    method: methods.filter(method => !allowed.includes(method)),
    url,
    // Nothing of the request is read: its body may be of any kind.
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
