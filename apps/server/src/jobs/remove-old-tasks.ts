import { nowSeconds } from '../core/app.ts'
import { defineJob } from '../core/define-job.ts'
import { removeEndedBefore } from '../db/queries/tasks.ts'

const daySeconds = 86_400

/** Deletes tasks that ended longer ago than the setting allows. Balances and logs do not depend on them. Idempotent. */
export default defineJob({
  name: 'remove-old-tasks',
  everySeconds: 3600,
  run: async app => {
    const days = app.settings().tasks.TaskRetentionDays
    return days === 0 ? 0 : removeEndedBefore(app.db, nowSeconds(app) - days * daySeconds)
  },
})
