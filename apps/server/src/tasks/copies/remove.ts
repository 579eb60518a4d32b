import { rm } from 'node:fs/promises'
import type { App } from '../../core/app.ts'
import { nowSeconds } from '../../core/app.ts'
import * as copies from '../../db/queries/task-copies.ts'
import type { TaskCopiesTable } from '../../db/tables/tasks.ts'
import { copyPath } from './file.ts'
import { removeObject } from './object.ts'

const listedMax = 200

/** Deletes copies that have expired, and those of deleted tasks. Idempotent. */
export const removeCopies = async (app: App): Promise<void> => {
  const now = nowSeconds(app)
  let after: TaskCopiesTable | undefined
  while (!app.stopping()) {
    const rows = await copies.listRemovable(app.db, { now, limit: listedMax, after })
    for (const row of rows) await removeCopy(app, row)
    if (rows.length < listedMax) return
    after = rows.at(-1)
  }
}

/** A copy whose storage does not answer is tried again by the next run. */
const removeCopy = async (app: App, row: TaskCopiesTable): Promise<void> => {
  const { task_id, position, location } = row
  try {
    if (location === null) await rm(copyPath(app, task_id, position), { force: true })
    else if (!(await removeObject(app, location)))
      app.log.warn({ location }, 'a copy stays in a storage that the settings no longer name')
    await copies.remove(app.db, row)
  } catch (error) {
    app.log.warn({ err: error, location }, 'a copy could not be deleted')
  }
}
