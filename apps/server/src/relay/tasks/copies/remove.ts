import { rm } from 'node:fs/promises'
import type { App } from '../../../core/app.ts'
import { nowSeconds } from '../../../core/app.ts'
import * as copies from '../../../db/queries/task-copies.ts'
import { copyPath } from './file.ts'

const listedMax = 200

/** Deletes copies that have expired, and those of deleted tasks. Idempotent. */
export const removeCopies = async (app: App): Promise<void> => {
  while (!app.stopping()) {
    const rows = await copies.listRemovable(app.db, { now: nowSeconds(app), limit: listedMax })
    for (const row of rows) {
      await rm(copyPath(app, row.task_id, row.position), { force: true })
      await copies.remove(app.db, row)
    }
    if (rows.length < listedMax) return
  }
}
