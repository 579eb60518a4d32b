import { Fault } from '@hub/contract'
import type { TaskApi } from '@hub/providers'
import type { App } from '../core/app.ts'
import * as tasks from '../db/queries/tasks.ts'
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

/** Finds a task of the caller. Throws `stored.unknown` for those of others, too. */
export const requireTask = async (
  app: App,
  { caller }: AuthenticatedContext,
  platforms: readonly TaskApi[],
  publicId: string,
): Promise<tasks.TaskRow> => {
  const row = await tasks.findOwned(app.callDb, caller.userId, publicId)
  if (!row || !platforms.some(each => each === row.platform))
    throw new Fault('stored.unknown', { hint: `Id: ${publicId.slice(0, 100)}.` })
  return row
}
