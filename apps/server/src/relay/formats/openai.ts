import { type CallOperation, callOperations } from '@hub/contract/call-operations'
import {
  callerFormats,
  openaiChat,
  openaiCompaction,
  openaiImages,
  openaiResponses,
  type PathParams,
  withModelOfPath,
} from '@hub/dialects'
import { countRoute, listing, post, type RelayRoute, unknown } from './route.ts'

/** Besides the calls: https://platform.openai.com/docs/api-reference/responses */
const responses = (path: string): RelayRoute[] => [
  { method: 'GET', path, operation: 'unknown', dialect: openaiResponses },
  countRoute(`${path}/input_tokens`, openaiResponses),
  post(`${path}/compact`, 'compact', openaiCompaction),
]

/** OpenAI's routes from before 2023, by which clients still show a balance. */
const billing = (path: string): RelayRoute[] => [
  { method: 'GET', path: `${path}/subscription`, operation: 'subscription', dialect: openaiChat },
  { method: 'GET', path: `${path}/usage`, operation: 'usage', dialect: openaiChat },
]

/**
 * The path of a deployment decides the model; a body need not name it. The query's `api-version` changes nothing here.
 * https://learn.microsoft.com/azure/ai-foundry/openai/reference
 */
const deployment = (operation: CallOperation): RelayRoute => {
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

const deployed = ['chat', 'completions', 'embeddings', 'images', 'speech'] as const

/** Addresses of OpenAI's API, of Azure, and of gateways that speak it, besides those of operations. */
export const openaiRoutes: readonly RelayRoute[] = [
  ...responses('/v1/responses'),
  ...responses('/responses'),
  // Signed addresses of images that were asked for as links, and came as bytes.
  { method: 'GET', path: '/v1/images/files/:name', operation: 'image-file', dialect: openaiImages },
  ...listing('/v1/models', openaiChat),
  ...listing('/models', openaiChat),
  ...listing('/cursor/v1/models', openaiChat),
  ...listing('/v1beta/openai/models', openaiChat),
  ...deployed.map(deployment),
  ...billing('/v1/dashboard/billing'),
  ...billing('/dashboard/billing'),
  // Clients such as CC Switch, and other gateways, show a balance by these: https://github.com/Wei-Shaw/sub2api/pull/452
  { method: 'GET', path: '/v1/usage', operation: 'key-usage', dialect: openaiChat },
  ...['/v1/*', '/v2/*', '/openai/*', '/cursor/*', '/v1beta/openai/*'].flatMap(path =>
    unknown(path, openaiChat),
  ),
]
