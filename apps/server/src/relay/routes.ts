import {
  actionsOf,
  addressesOf,
  type CallOperation,
  callOperationIds,
  callOperations,
} from '@hub/contract/call-operations'
import {
  anthropic,
  type CallerFormat,
  callerFormats,
  type Dialect,
  gemini,
  geminiArray,
  geminiEmbeddings,
  imageTools,
  openaiChat,
  openaiImages,
  openaiResponses,
  type PathParams,
  readGeminiPath,
  withDefaultModelOf,
  withModelOfPath,
} from '@hub/dialects'
import { providers } from '@hub/providers'
import {
  hasAnthropicVersion,
  hasGoogleKey,
  type Matcher,
  type Route,
  type RouteOperation,
  unknown,
} from './route.ts'
import { storedRoutes } from './stored-routes.ts'
import { taskRoutes } from './task-routes.ts'
import { midjourneyFormat } from './tasks/midjourney/format.ts'

const post = (path: string, operation: RouteOperation, dialect: CallerFormat): Route => ({
  method: 'POST',
  path,
  operation,
  dialect,
})

const count = (path: string, dialect: Dialect): Route => post(path, 'count', dialect)

/** Every operation at the addresses of its formats. */
const callRoutes = callOperationIds.flatMap(operation =>
  callOperations[operation].formats.flatMap(each =>
    addressesOf(each).map(path => post(path, operation, callerFormats[each.format])),
  ),
)

/** Reads Gemini's path where its action is one of these. */
const pathParamsFor = (actions: readonly string[]) => (address: string) => {
  const read = readGeminiPath(address)
  return read && actions.includes(read.action) ? read : undefined
}

/** `…/models/{model}:{action}` for the actions that are supported. */
const geminiModels = (path: string): Route[] => [
  {
    ...count(path, gemini),
    matches: ({ url }) => url?.includes(':countTokens') === true,
    pathParams: pathParamsFor(['countTokens']),
  },
  {
    ...post(path, 'embeddings', geminiEmbeddings),
    matches: ({ url }) => /:(batchE|e)mbedContent/.test(url ?? ''),
    pathParams: pathParamsFor(actionsOf('embeddings')),
  },
  {
    ...post(path, 'chat', gemini),
    pathParams: pathParamsFor(actionsOf('chat')),
    streamDialect: query => (/(^|&)alt=sse(&|$)/.test(query) ? gemini : geminiArray),
  },
]

/** Routes of stored responses: https://platform.openai.com/docs/api-reference/responses */
const storedResponses = (path: string, dialect: Dialect): Route[] => [
  count(`${path}/input_tokens`, dialect),
  post(`${path}/compact`, 'compact', dialect),
  { method: 'GET', path: `${path}/:id`, operation: 'answer', dialect },
  { method: 'DELETE', path: `${path}/:id`, operation: 'answer-delete', dialect },
  { method: 'POST', path: `${path}/:id/cancel`, operation: 'answer-cancel', dialect },
  { method: 'GET', path: `${path}/:id/input_items`, operation: 'answer-input', dialect },
]

const listing = (path: string, dialect: Dialect, fits?: Matcher): Route[] => [
  { method: 'GET', path, operation: 'models', dialect, matches: fits },
  // A model name may contain slashes.
  { method: 'GET', path: `${path}/*`, operation: 'model', dialect, matches: fits },
]

/** OpenAI's routes from before 2023, by which clients still show a balance. */
const billing = (path: string): Route[] => [
  { method: 'GET', path: `${path}/subscription`, operation: 'subscription', dialect: openaiChat },
  { method: 'GET', path: `${path}/usage`, operation: 'usage', dialect: openaiChat },
]

/**
 * The path of a deployment decides the model; a body need not name it. The query's `api-version` changes nothing here.
 * https://learn.microsoft.com/azure/ai-foundry/openai/reference
 */
const deployment = (operation: CallOperation): Route => {
  const { path, format } = callOperations[operation].formats[0]!
  return {
    ...post(`/openai/deployments/:model${path}`, operation, withModelOfPath(callerFormats[format])),
    pathParams: readDeployment,
  }
}

const readDeployment = (address: string): PathParams | undefined => {
  const [, name] = /\/deployments\/([^/]+)\//.exec(address) ?? []
  try {
    return name === undefined ? undefined : { model: decodeURIComponent(name), stream: false }
  } catch {
    return undefined
  }
}

const deployments = (['chat', 'completions', 'embeddings', 'images', 'speech'] as const).map(
  deployment,
)

export const wantsWebSocket: Matcher = ({ headers }) =>
  headers.upgrade?.toLowerCase() === 'websocket'

/** A route that accepts a WebSocket. */
export type SocketRoute = Route & { kind: 'responses' | 'realtime' | 'live' }

const socket = (path: string, kind: SocketRoute['kind'], dialect: Dialect): SocketRoute => ({
  ...{ method: 'GET', path, kind, dialect },
  operation: 'socket',
})

export const socketRoutes: readonly SocketRoute[] = [
  socket('/v1/responses', 'responses', openaiResponses),
  socket('/responses', 'responses', openaiResponses),
  socket('/v1/realtime', 'realtime', openaiChat),
  socket('/realtime', 'realtime', openaiChat),
]

/** Addresses of the vendors' own APIs. */
const vendorRoutes = providers
  .flatMap(each => each.routes)
  .map(
    ({ path, operation, model }): Route => ({
      ...{ method: 'POST', path, operation },
      ...(operation === 'images'
        ? { dialect: withDefaultModelOf(openaiImages, model) }
        : { dialect: imageTools, pathParams: () => ({ model, stream: false }) }),
    }),
  )

/** Any path that ends in the name of Google's service: https://ai.google.dev/api/live */
export const liveRoute = socket('/ws/*', 'live', gemini)

/**
 * Keys and calls by which a client would talk to the vendor itself:
 * https://developers.openai.com/api/docs/guides/realtime-webrtc, https://ai.google.dev/gemini-api/docs/ephemeral-tokens
 */
const directSessions: readonly Route[] = [
  ...['/v1/realtime/*', '/realtime/*', '/v1/live/*'].map(path => ({ path, dialect: openaiChat })),
  ...['v1', 'v1beta', 'v1alpha'].map(version => ({
    ...{ path: `/${version}/auth_tokens`, dialect: gemini },
  })),
].map(each => ({ ...each, method: 'POST', operation: 'direct-session' }))

/** Paths by which clients of other gateways reach image, music and video services. */
const otherServices = ['/suno/*', '/kling/*', '/recraftAI/*']

/** The first segment of an address of the relay's own. */
const firstSegment = ({ path }: Route): string | undefined => /^\/(?!api\/)([\w-]+)/.exec(path)?.[1]

const served: readonly Route[] = [
  ...callRoutes,
  ...storedResponses('/v1/responses', openaiResponses),
  ...storedResponses('/responses', openaiResponses),
  { method: 'GET', path: '/v1/responses', operation: 'unknown', dialect: openaiResponses },
  { method: 'GET', path: '/responses', operation: 'unknown', dialect: openaiResponses },
  count('/v1/messages/count_tokens', anthropic),
  count('/messages/count_tokens', anthropic),
  count('/claude/v1/messages/count_tokens', anthropic),
  count('/anthropic/v1/messages/count_tokens', anthropic),
  ...geminiModels('/v1beta/models/*'),
  ...geminiModels('/v1alpha/models/*'),
  ...geminiModels('/v1/models/*'),
  ...geminiModels('/gemini/v1beta/models/*'),
  ...geminiModels('/gemini/v1/models/*'),
  ...listing('/v1/models', anthropic, hasAnthropicVersion),
  ...listing('/v1/models', gemini, hasGoogleKey),
  ...listing('/v1/models', openaiChat),
  ...listing('/models', anthropic, hasAnthropicVersion),
  ...listing('/models', gemini, hasGoogleKey),
  ...listing('/models', openaiChat),
  ...listing('/claude/v1/models', anthropic),
  ...listing('/anthropic/v1/models', anthropic),
  ...listing('/cursor/v1/models', openaiChat),
  ...storedRoutes,
  ...taskRoutes,
  ...deployments,
  ...directSessions,
  ...vendorRoutes,
  ...listing('/v1beta/models', gemini),
  ...listing('/v1alpha/models', gemini),
  ...listing('/gemini/v1beta/models', gemini),
  ...listing('/gemini/v1/models', gemini),
  ...billing('/v1/dashboard/billing'),
  ...billing('/dashboard/billing'),
  // Clients such as CC Switch, and other gateways, show a balance by these: https://github.com/Wei-Shaw/sub2api/pull/452
  { method: 'GET', path: '/v1/usage', operation: 'key-usage', dialect: openaiChat },
  // Claude Code checks that the gateway is there: https://code.claude.com/docs/en/llm-gateway-protocol
  { method: 'GET', path: '/api/hello', operation: 'hello', dialect: anthropic },
  { method: 'GET', path: '/v1/messages', operation: 'unknown', dialect: anthropic },
  ...unknown('/v1/messages/*', anthropic),
  ...unknown('/claude/*', anthropic),
  ...unknown('/anthropic/*', anthropic),
  ...unknown('/v1beta/*', gemini),
  ...unknown('/v1alpha/*', gemini),
  ...unknown('/gemini/*', gemini),
  ...['/mj/*', '/:mode/mj/*'].flatMap(path => unknown(path, midjourneyFormat)),
  ...unknown('/v1/*', anthropic, hasAnthropicVersion),
  ...unknown('/v1/*', gemini, hasGoogleKey),
  ...['/v1/*', '/v2/*', '/openai/*', '/cursor/*', ...otherServices].flatMap(path =>
    unknown(path, openaiChat),
  ),
]

const withSegment = (each: Route): [string | undefined, CallerFormat] => [
  firstSegment(each),
  each.dialect,
]

/** Below the first segment of an address without a version, a client reads any error in its vendor's format. */
const unknownBelow = [...new Map(served.map(withSegment).toReversed())]
  .filter(([segment]) => segment && !served.some(({ path }) => path === `/${segment}/*`))
  .flatMap(([segment, dialect]) => unknown(`/${segment}/*`, dialect))

const paths = new Set(served.filter(each => each.method === 'GET').map(each => each.path))

/** Without these a browser that opens an address of calls would be sent the console. */
const refusedGets = served
  .filter(({ method, path }) => method === 'POST' && !/[:*]/.test(path) && !paths.has(path))
  .map(({ path, dialect }): Route => ({ method: 'GET', path, operation: 'unknown', dialect }))

export const routes: readonly Route[] = [...served, ...unknownBelow, ...refusedGets]
