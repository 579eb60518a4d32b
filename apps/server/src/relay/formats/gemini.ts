import { actionsOf } from '@hub/contract/call-operations'
import { gemini, geminiArray, geminiEmbeddings, readGeminiPath } from '@hub/dialects'
import { countRoute, hasGoogleKey, listing, post, type RelayRoute, unknown } from './route.ts'

/** Reads the path where its action is one of these. */
const pathParamsFor = (actions: readonly string[]) => (address: string) => {
  const read = readGeminiPath(address)
  return read && actions.includes(read.action) ? read : undefined
}

/** `…/models/{model}:{action}` for the actions that are supported. */
const modelRoutes = (path: string): RelayRoute[] => [
  {
    ...countRoute(path, gemini),
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

const bases = ['/v1beta', '/v1alpha', '/gemini/v1beta', '/gemini/v1']

/** Addresses of Google's API. */
export const geminiRoutes: readonly RelayRoute[] = [
  ...[...bases, '/v1'].flatMap(base => modelRoutes(`${base}/models/*`)),
  ...listing('/v1/models', gemini, hasGoogleKey),
  ...listing('/models', gemini, hasGoogleKey),
  ...bases.flatMap(base => listing(`${base}/models`, gemini)),
  ...['/v1beta/*', '/v1alpha/*', '/gemini/*'].flatMap(path => unknown(path, gemini)),
  ...unknown('/v1/*', gemini, hasGoogleKey),
]
