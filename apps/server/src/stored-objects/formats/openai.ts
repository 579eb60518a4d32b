import { Fault } from '@hub/contract'
import { anthropic, gemini, openaiChat, openaiResponses } from '@hub/dialects'
import type { ResourceKind } from '@hub/providers'
import {
  hasAnthropicVersion,
  hasGoogleKey,
  type Route,
  routeIn,
  unknown,
} from '../../relay/formats/route.ts'
import { createBatch } from '../batches/create.ts'
import { showBatch } from '../batches/show.ts'
import { createConversation } from '../conversations/create.ts'
import { serveConversation } from '../conversations/serve.ts'
import { createObject } from '../create.ts'
import { forwardRequest, removeObject, sendContent } from '../forward.ts'
import { listObjects } from '../list.ts'
import { type ResourceHandler, type ResourceRoute, resourceRoutesOf } from '../resource-route.ts'
import { serveStoredResponse } from '../responses/serve.ts'

type ObjectRoute = Omit<ResourceRoute, 'api'>

const below =
  (kind: ResourceKind, collection: string) =>
  (method: Route['method'], path: string, handler: ResourceHandler): ObjectRoute => ({
    ...{ kind, method, path: `${collection}${path}`, handler },
  })

const files = below('files', '/files')
const uploads = below('uploads', '/uploads')
const batches = below('batches', '/batches')
const vectorStores = below('vector-stores', '/vector_stores')
const conversations = below('conversations', '/conversations')

/** Objects of OpenAI's API: https://developers.openai.com/api/reference/overview */
const objects: readonly ObjectRoute[] = [
  files('POST', '', createObject),
  files('GET', '', listObjects),
  files('GET', '/:id', forwardRequest),
  files('DELETE', '/:id', removeObject),
  files('GET', '/:id/content', sendContent),
  // Parts of a large file: https://developers.openai.com/api/reference/resources/uploads
  uploads('POST', '', createObject),
  uploads('POST', '/:id/parts', forwardRequest),
  uploads('POST', '/:id/complete', forwardRequest),
  uploads('POST', '/:id/cancel', forwardRequest),
  batches('POST', '', createBatch),
  batches('GET', '', listObjects),
  batches('GET', '/:id', showBatch),
  batches('POST', '/:id/cancel', showBatch),
  // https://developers.openai.com/api/reference/resources/vector_stores
  vectorStores('POST', '', createObject),
  vectorStores('GET', '', listObjects),
  vectorStores('GET', '/:id', forwardRequest),
  vectorStores('POST', '/:id', forwardRequest),
  vectorStores('DELETE', '/:id', removeObject),
  // Its files, batches of files, and search: all of them belong to the store.
  vectorStores('GET', '/:id/*', forwardRequest),
  vectorStores('POST', '/:id/*', forwardRequest),
  vectorStores('DELETE', '/:id/*', forwardRequest),
  // https://developers.openai.com/api/reference/resources/conversations
  conversations('POST', '', createConversation),
  conversations('GET', '/:id', serveConversation),
  conversations('POST', '/:id', serveConversation),
  conversations('DELETE', '/:id', serveConversation),
  // Its items belong to it.
  conversations('GET', '/:id/*', serveConversation),
  conversations('POST', '/:id/*', serveConversation),
  conversations('DELETE', '/:id/*', serveConversation),
]

const routeOf = resourceRoutesOf('openai', openaiChat)

/** Clients of other vendors, who have paths of these names too, are refused in their format. */
const objectsAt = (prefix: string): Route[] =>
  objects.flatMap(each => {
    const route = routeOf(prefix, each)
    const others = [
      ...unknown(route.path, anthropic, hasAnthropicVersion),
      ...unknown(route.path, gemini, hasGoogleKey),
    ]
    return [...others.filter(other => other.method === route.method), route]
  })

/** Google documents files and batches for clients of OpenAI's API: https://ai.google.dev/gemini-api/docs/openai */
const googleObjects = objects.filter(({ kind }) => kind === 'files' || kind === 'batches')

const response = routeIn(openaiResponses)

/** https://platform.openai.com/docs/api-reference/responses */
const responsesAt = (path: string): Route[] => [
  response('GET', `${path}/:id`, 'answer', serveStoredResponse),
  response('DELETE', `${path}/:id`, 'answer-delete', serveStoredResponse),
  response('POST', `${path}/:id/cancel`, 'answer-cancel', serveStoredResponse),
  response('GET', `${path}/:id/input_items`, 'answer-input', serveStoredResponse),
]

/** A path that is refused with a reason of its own. */
const refused = (path: string, operation: 'retired' | 'unpriced'): Route[] =>
  unknown(path, openaiChat).map(route => ({ ...route, operation, handler: refusals[operation] }))

const refusals = {
  // https://developers.openai.com/api/docs/assistants/migration
  retired: async (): Promise<void> => {
    throw new Fault('operation.retired', {
      hint: 'OpenAI ended assistants and threads on 2026-08-26. Use /v1/responses.',
    })
  },
  unpriced: async (): Promise<void> => {
    throw new Fault('operation.unpriced', {
      hint: 'Training is not sold here, and OpenAI starts no new jobs after 6 January 2027: https://developers.openai.com/api/docs/deprecations.',
    })
  },
}

const assistants = ['/v1/assistants', '/v1/assistants/*', '/v1/threads', '/v1/threads/*']

export const openaiObjects: readonly Route[] = [
  ...['/v1', '/openai/v1'].flatMap(objectsAt),
  ...googleObjects.map(each => routeOf('/v1beta/openai', each)),
  ...['/v1/responses', '/responses'].flatMap(responsesAt),
  ...assistants.flatMap(path => refused(path, 'retired')),
  ...refused('/v1/fine_tuning/*', 'unpriced'),
]
