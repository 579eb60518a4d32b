import { nowSeconds } from '../core/app.ts'
import { defineJob } from '../core/define-job.ts'
import { removeBefore } from '../db/queries/logs.ts'

const daySeconds = 86_400

/** Deletes logs older than the setting allows. Balances do not depend on logs. Idempotent. */
export default defineJob({
  name: 'remove-old-logs',
  everySeconds: 3600,
  run: async app => {
    const days = app.settings().logs.LogRetentionDays
    // No month is older than 1970. A month that an interrupted run has detached is dropped.
    if (days === 0) return app.dropLogMonths(0)
    const before = nowSeconds(app) - days * daySeconds
    const dropped = await app.dropLogMonths(before)
    return dropped + (await removeBefore(app.db, before, 'every type'))
  },
})
