import { Fault } from '@hub/contract'
import { gemini, openaiChat } from '@hub/dialects'
import type { ResourceKind } from '@hub/providers'
import { hasGoogleKey, type Route, routeIn, unknown } from '../../../relay/formats/route.ts'
import { type ResourceHandler, resourceRoutesOf } from '../../resource-route.ts'
import { createCache } from './create-cache.ts'
import { extendCache } from './extend-cache.ts'
import { listGeminiObjects } from './list.ts'
import { removeGeminiObject, showGeminiObject } from './show.ts'
import { handleUpload } from './upload.ts'

const routeOf = resourceRoutesOf('gemini', gemini)
const upload = routeIn(gemini)

const versions = ['v1beta', 'v1alpha', 'v1']

const objectsAt = (prefix: string): Route[] => {
  const below =
    (kind: ResourceKind, collection: string) =>
    (method: Route['method'], path: string, handler: ResourceHandler): Route =>
      routeOf(prefix, { ...{ kind, method, path: `${collection}${path}`, handler } })
  const files = below('gemini-files', '/files')
  const caches = below('cached-contents', '/cachedContents')
  return [
    // https://ai.google.dev/api/files
    files('GET', '', listGeminiObjects),
    files('GET', '/:id', showGeminiObject),
    files('DELETE', '/:id', removeGeminiObject),
    // Prompts that are stored: https://ai.google.dev/api/caching
    caches('POST', '', createCache),
    caches('GET', '', listGeminiObjects),
    caches('GET', '/:id', showGeminiObject),
    caches('PATCH', '/:id', extendCache),
    caches('DELETE', '/:id', removeGeminiObject),
  ]
}

/** The addresses of this version exist in OpenAI's API, too: a client of Gemini has Google's header or key. */
const sharedObjects = objectsAt('/v1').map(each => ({ ...each, matches: hasGoogleKey }))

/** Uploads have an address outside of the versions. */
const uploadsAt = (prefix: string): Route[] => [
  ...versions.map(version =>
    upload('POST', `${prefix}/upload/${version}/files`, 'gemini-uploads', handleUpload),
  ),
  ...unknown(`${prefix}/upload/*`, gemini),
]

/** Its answers would have to be read, charged and owned in a format that no provider here has. */
const refuseInteractions = async (): Promise<void> => {
  throw new Fault('operation.unserved', {
    hint: 'Interactions are not served. Use POST /v1beta/models/{model}:generateContent, or /v1/responses for stored conversations.',
  })
}

/** Every method at and below the address: https://ai.google.dev/api/interactions-api */
const interactionsAt = (prefix: string, matches?: Route['matches']): Route[] =>
  ['/interactions', '/interactions/*'].flatMap(path =>
    unknown(`${prefix}${path}`, gemini, matches).map(route => ({
      ...route,
      ...{ operation: 'interactions', handler: refuseInteractions },
    })),
  )

export const geminiObjects: readonly Route[] = [
  ...['/v1beta', '/v1alpha'].flatMap(objectsAt),
  ...sharedObjects,
  ...uploadsAt(''),
  ...versions.flatMap(version => objectsAt(`/gemini/${version}`)),
  ...uploadsAt('/gemini'),
  ...['/v1beta', '/v1alpha', '/gemini/v1beta', '/gemini/v1'].flatMap(each => interactionsAt(each)),
  ...interactionsAt('/v1', hasGoogleKey),
  ...['/v1/interactions', '/v1/interactions/*'].flatMap(path => unknown(path, openaiChat)),
]
