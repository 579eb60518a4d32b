import type { IncomingMessage } from 'node:http'
import type { CallOperation } from '@hub/contract/call-operations'
import type { CallerFormat, Dialect, PathParams } from '@hub/dialects'
import type { ResourceKind } from '@hub/providers'
import type { ResourceRoute } from '../../stored-objects/table.ts'

/** The name of a handler; a label of metrics and log lines. */
export type RouteOperation =
  | CallOperation
  | 'count'
  | 'models'
  | 'model'
  | 'subscription'
  | 'key-usage'
  | 'usage'
  | 'hello'
  | 'compact'
  | 'answer'
  | 'answer-delete'
  | 'answer-cancel'
  | 'answer-input'
  | 'socket'
  | 'direct-session'
  | ResourceKind
  | 'video-create'
  | 'video-show'
  | 'video-remix'
  | 'video-list'
  | 'video-delete'
  | 'video-content'
  | 'kling-create'
  | 'kling-show'
  | 'suno-create'
  | 'suno-list'
  | 'suno-show'
  | 'generation-create'
  | 'generation-show'
  | 'midjourney-submit'
  | 'midjourney-show'
  | 'midjourney-list'
  | 'midjourney-seed'
  | 'midjourney-image'
  | 'midjourney-notify'
  | 'retired'
  | 'unpriced'
  | 'unknown'

/** A public route of the relay. */
export type Route = {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** A pattern as Fastify writes them. */
  path: string
  operation: RouteOperation
  dialect: CallerFormat
  /** Set for objects that vendors store. */
  resource?: ResourceRoute
  /** Selects among routes with one address: the first match is used, and the last of them has no condition. */
  matches?: Matcher | undefined
  /** Reads parameters that other dialects carry in the body. Undefined: the path is not supported. */
  pathParams?: (path: string) => PathParams | undefined
  /** The dialect of a stream whose framing the query chooses. */
  streamDialect?: (query: string) => Dialect
}

export type Matcher = (request: Pick<IncomingMessage, 'headers' | 'url'>) => boolean

/** Anthropic's clients send this header with every request, whichever header carries the key. */
export const hasAnthropicVersion: Matcher = ({ headers }) =>
  headers['anthropic-version'] !== undefined

export const wantsWebSocket: Matcher = ({ headers }) =>
  headers.upgrade?.toLowerCase() === 'websocket'

export const hasGoogleKey: Matcher = ({ headers, url }) =>
  headers['x-goog-api-key'] !== undefined || /[?&]key=/.test(url ?? '')

/** Paths of the relay that no other route matches: a client reads the error in its vendor's format. */
export const unknown = (path: string, dialect: CallerFormat, matches?: Matcher): Route[] =>
  (['GET', 'POST', 'PATCH', 'DELETE'] as const).map(method => ({
    ...{ method, path, dialect, matches },
    operation: 'unknown',
  }))

export const post = (path: string, operation: RouteOperation, dialect: CallerFormat): Route => ({
  method: 'POST',
  path,
  operation,
  dialect,
})

export const countRoute = (path: string, dialect: Dialect): Route => post(path, 'count', dialect)

/** The lists of models, and single ones. */
export const listing = (path: string, dialect: Dialect, matches?: Matcher): Route[] => [
  { method: 'GET', path, operation: 'models', dialect, matches },
  // A model name may contain slashes.
  { method: 'GET', path: `${path}/*`, operation: 'model', dialect, matches },
]
