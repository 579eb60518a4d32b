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
    if (days === 0) return 0
    return removeBefore(app.db, nowSeconds(app) - days * daySeconds, 'every type')
  },
})
