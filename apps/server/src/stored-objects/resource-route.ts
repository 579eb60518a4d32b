import type { CallerFormat } from '@hub/dialects'
import { type ResourceApi, type ResourceKind, resourceKind } from '@hub/providers'
import type { App } from '../core/app.ts'
import { identify } from '../relay/auth/identify.ts'
import type { AuthenticatedContext, RequestContext } from '../relay/context.ts'
import type { Route } from '../relay/formats/route.ts'
import { type Admission, admit } from '../relay/limits/admit.ts'

/** A route below the collection of a kind. `:id` is the object that decides about owner and account. */
export type ResourceRoute = {
  method: Route['method']
  path: string
  api: ResourceApi
  kind: ResourceKind
  handler: ResourceHandler
}

/** The object that a request names, and the path from its id on. */
export type ResourceCall = { route: ResourceRoute; id: string; pathSuffix: string }

export type ResourceHandler = (
  app: App,
  context: AuthenticatedContext,
  call: ResourceCall,
  admission: Admission,
) => Promise<void>

/** Makes the routes of an API, whose callers read errors in its format. */
export const resourceRoutesOf =
  (api: ResourceApi, dialect: CallerFormat) =>
  (prefix: string, route: Omit<ResourceRoute, 'api'>): Route => ({
    ...{ method: route.method, path: `${prefix}${route.path}`, operation: route.kind, dialect },
    handler: handlerOf({ ...route, api }),
  })

/** Nothing is charged for storing or reading objects. */
const handlerOf = (route: ResourceRoute) => {
  const { kind, handler } = route
  const collection = route.path.split('/:id')[0]!
  return async (app: App, request: RequestContext): Promise<void> => {
    const context = await identify(app, request)
    const at = context.path.lastIndexOf(`${collection}/`)
    const rest = at === -1 ? '' : context.path.slice(at + collection.length + 1)
    const [name = ''] = rest.split('/', 1)
    const id = `${resourceKind(kind).namePrefix ?? ''}${name}`
    const pathSuffix = name === '' ? '' : `/${rest}`
    await using admission = await admit(app, context)
    await handler(app, context, { route, id, pathSuffix }, admission)
  }
}
