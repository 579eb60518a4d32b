import type { IncomingMessage } from 'node:http'
import type { CallOperation } from '@hub/contract/call-operations'
import type { CallerFormat, Dialect, PathParams } from '@hub/dialects'
import type { App } from '../../core/app.ts'
import type { RequestContext } from '../context.ts'

/** Answers one request. A thrown fault becomes an error in the caller's dialect. */
export type Handler = (app: App, context: RequestContext) => Promise<void>

/** The operations that the relay itself serves. */
export type RelayOperation =
  | CallOperation
  | 'count'
  | 'models'
  | 'image-file'
  | 'model'
  | 'subscription'
  | 'key-usage'
  | 'usage'
  | 'hello'
  | 'compact'
  | 'unknown'

/** The address of a route, and how its requests are read. */
export type RouteFields = {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** A pattern as Fastify writes them. */
  path: string
  /** The name of what is done here: a label of metrics and log lines. */
  operation: string
  dialect: CallerFormat
  /** Selects among routes with one address: the first match is used, and the last of them has no condition. */
  matches?: Matcher | undefined
  /** Reads parameters that other dialects carry in the body. Undefined: the path is not supported. */
  pathParams?: (path: string) => PathParams | undefined
  /** The dialect of a stream whose framing the query chooses. */
  streamDialect?: (query: string) => Dialect
}

/** A route that the relay itself serves. */
export type RelayRoute = RouteFields & { operation: RelayOperation; handler?: undefined }

/** A public route. Those of the layers above the relay bring their handlers. */
export type Route = RelayRoute | (RouteFields & { handler: Handler })

export type Matcher = (request: Pick<IncomingMessage, 'headers' | 'url'>) => boolean

/** Anthropic's clients send this header with every request, whichever header carries the key. */
export const hasAnthropicVersion: Matcher = ({ headers }) =>
  headers['anthropic-version'] !== undefined

export const wantsWebSocket: Matcher = ({ headers }) =>
  headers.upgrade?.toLowerCase() === 'websocket'

export const hasGoogleKey: Matcher = ({ headers, url }) =>
  headers['x-goog-api-key'] !== undefined || /[?&]key=/.test(url ?? '')

/** Paths of the relay that no other route matches: a client reads the error in its vendor's format. */
export const unknown = (path: string, dialect: CallerFormat, matches?: Matcher): RelayRoute[] =>
  (['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const).map(method => ({
    ...{ method, path, dialect, matches },
    operation: 'unknown',
  }))

export const post = (
  path: string,
  operation: RelayOperation,
  dialect: CallerFormat,
): RelayRoute => ({
  method: 'POST',
  path,
  operation,
  dialect,
})

/** Makes the routes of a layer above the relay, whose callers read errors in this format. */
export const routeIn =
  (dialect: CallerFormat) =>
  (method: Route['method'], path: string, operation: string, handler: Handler): Route => ({
    ...{ method, path, operation, dialect, handler },
  })

export const countRoute = (path: string, dialect: Dialect): RelayRoute =>
  post(path, 'count', dialect)

/** The lists of models, and single ones. */
export const listing = (path: string, dialect: Dialect, matches?: Matcher): RelayRoute[] => [
  { method: 'GET', path, operation: 'models', dialect, matches },
  // A model name may contain slashes.
  { method: 'GET', path: `${path}/*`, operation: 'model', dialect, matches },
]
