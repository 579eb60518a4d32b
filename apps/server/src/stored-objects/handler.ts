import type { App } from '../core/app.ts'
import { identify } from '../relay/auth/identify.ts'
import type { AuthenticatedContext, RequestContext } from '../relay/context.ts'
import { type Admission, admit } from '../relay/limits/admit.ts'
import { namePrefixes } from '../relay/references/gemini-object.ts'
import { createBatch } from './batches/create.ts'
import { sendResults, showBatch } from './batches/show.ts'
import { createObject } from './create.ts'
import { createCache } from './formats/gemini/create-cache.ts'
import { extendCache } from './formats/gemini/extend-cache.ts'
import { listGeminiObjects } from './formats/gemini/list.ts'
import { removeGeminiObject, showGeminiObject } from './formats/gemini/show.ts'
import { handleUpload } from './formats/gemini/upload.ts'
import { forwardRequest, removeObject, sendContent } from './forward.ts'
import { listObjects } from './list.ts'
import type { ResourceAction, ResourceCall, ResourceRoute } from './table.ts'

type ResourceHandler = (
  app: App,
  context: AuthenticatedContext,
  call: ResourceCall,
  admission: Admission,
) => Promise<void>

const actions: Record<Exclude<ResourceAction, 'gemini-upload'>, ResourceHandler> = {
  create: createObject,
  list: listObjects,
  forward: forwardRequest,
  remove: removeObject,
  content: sendContent,
  'create-batch': createBatch,
  'show-batch': showBatch,
  results: sendResults,
  'gemini-list': listGeminiObjects,
  'gemini-show': showGeminiObject,
  'gemini-remove': removeGeminiObject,
  'create-cache': createCache,
  'extend-cache': extendCache,
}

/** Creates the handler of a route for stored objects. Nothing is charged for storing or reading them. */
export const createResourceHandler = (route: ResourceRoute) => {
  const { kind, action } = route
  if (action === 'gemini-upload') return handleUpload
  const collection = route.path.split('/:id')[0]!
  return async (app: App, request: RequestContext): Promise<void> => {
    const context = await identify(app, request)
    const at = context.path.lastIndexOf(`${collection}/`)
    const rest = at === -1 ? '' : context.path.slice(at + collection.length + 1)
    const [name = ''] = rest.split('/', 1)
    const id = `${namePrefixes[kind] ?? ''}${name}`
    const pathSuffix = name === '' ? '' : `/${rest}`
    await using admission = await admit(app, context)
    await actions[action](app, context, { route, id, pathSuffix }, admission)
  }
}
