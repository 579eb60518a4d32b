import { anthropic, gemini, openaiChat } from '@hub/dialects'
import {
  hasAnthropicVersion,
  hasGoogleKey,
  type Route,
  unknown,
} from '../../relay/formats/route.ts'
import { geminiRoutes, geminiUploadRoutes, type ResourceRoute, resourceRoutes } from '../table.ts'

const isMessages = ({ kind }: ResourceRoute): boolean => kind === 'message-batches'

/** Objects of the OpenAI API. Clients of other vendors, who have paths of these names too, are refused in their format. */
const openaiObjects = (prefix: string): Route[] =>
  resourceRoutes
    .filter(each => !isMessages(each))
    .flatMap(resource => {
      const route = routeOf(prefix, resource)
      const others = [
        ...unknown(route.path, anthropic, hasAnthropicVersion),
        ...unknown(route.path, gemini, hasGoogleKey),
      ]
      return [...others.filter(each => each.method === route.method), route]
    })

const anthropicObjects = (prefix: string): Route[] =>
  resourceRoutes.filter(isMessages).map(each => routeOf(prefix, each))

const dialects = { openai: openaiChat, anthropic, gemini }

const routeOf = (prefix: string, resource: ResourceRoute): Route => ({
  method: resource.method,
  path: `${prefix}${resource.path}`,
  operation: resource.kind,
  dialect: dialects[resource.api],
  resource,
})

const versions = ['v1beta', 'v1alpha', 'v1']

/** The addresses of the collection itself exist in OpenAI's API, too: a client of Gemini has Google's header or key. */
const geminiObjects = (prefix: string): Route[] => [
  ...versions.flatMap(version =>
    geminiRoutes.map(each => {
      const route = routeOf(`${prefix}/${version}`, each)
      return version === 'v1' && prefix === '' ? { ...route, matches: hasGoogleKey } : route
    }),
  ),
  ...versions.flatMap(version =>
    geminiUploadRoutes.map(each => routeOf(`${prefix}/upload/${version}`, each)),
  ),
  ...unknown(`${prefix}/upload/*`, gemini),
]

/** Paths that are refused with a reason of their own. */
const refused = (paths: readonly string[], operation: 'retired' | 'unpriced'): Route[] =>
  paths.flatMap(path => unknown(path, openaiChat).map(route => ({ ...route, operation })))

const assistants = ['/v1/assistants', '/v1/assistants/*', '/v1/threads', '/v1/threads/*']

/** Files, batches and other objects that vendors store. */
export const storedRoutes: readonly Route[] = [
  ...geminiObjects(''),
  ...geminiObjects('/gemini'),
  ...openaiObjects('/v1'),
  ...openaiObjects('/openai/v1'),
  ...['/v1', '/claude/v1', '/anthropic/v1'].flatMap(anthropicObjects),
  ...refused(assistants, 'retired'),
  ...refused(['/v1/fine_tuning/*'], 'unpriced'),
]
