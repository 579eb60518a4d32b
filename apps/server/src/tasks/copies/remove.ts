import type { App } from '../../core/app.ts'
import { nowSeconds } from '../../core/app.ts'
import * as copies from '../../db/queries/task-copies.ts'
import type { TaskCopiesTable } from '../../db/tables/tasks.ts'
import { removeStoredFile } from '../../relay/result-storage/open.ts'
import { copyName } from './copy.ts'

const listedMax = 200

/** Deletes copies that have expired, and those of deleted tasks. Idempotent. */
export const removeCopies = async (app: App): Promise<void> => {
  const now = nowSeconds(app)
  let after: TaskCopiesTable | undefined
  while (!app.stopping()) {
    const rows = await copies.listRemovable(app.db, { now, limit: listedMax, after })
    for (const row of rows) {
      const name = copyName(row.task_id, row.position)
      await removeStoredFile(app, { name, location: row.location }, () =>
        copies.remove(app.db, row),
      )
    }
    if (rows.length < listedMax) return
    after = rows.at(-1)
  }
}
