import { Fault } from '@hub/contract'
import type { TaskApi } from '@hub/providers'
import type { App } from '../core/app.ts'
import * as tasks from '../db/queries/tasks.ts'
import type { AuthenticatedContext } from '../relay/context.ts'

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
