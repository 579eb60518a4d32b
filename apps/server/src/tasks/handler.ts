import type { App } from '../core/app.ts'
import { identify } from '../relay/auth/identify.ts'
import type { AuthenticatedContext, RequestContext } from '../relay/context.ts'
import { type Admission, admit } from '../relay/limits/admit.ts'

export type TaskHandler = (
  app: App,
  context: AuthenticatedContext,
  admission: Admission,
) => Promise<void>

/** A handler of a route for tasks, behind the caller's key and its rate limits. */
export const taskHandler = (work: TaskHandler) => async (app: App, request: RequestContext) => {
  const context = await identify(app, request)
  await using admission = await admit(app, context)
  await work(app, context, admission)
}
