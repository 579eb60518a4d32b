import { defineJob } from '../core/define-job.ts'
import { removeBefore } from '../db/queries/logs.ts'

const daySeconds = 86_400
const everyType = 0

/** Logs older than the setting allows. Balances never depend on logs, and twice is as good as once. */
export default defineJob({
  name: 'remove-old-logs',
  everySeconds: 3600,
  run: async app => {
    const days = app.settings().logs.LogRetentionDays
    if (days === 0) return 0
    return removeBefore(app.db, Math.floor(app.now() / 1000) - days * daySeconds, everyType)
  },
})
