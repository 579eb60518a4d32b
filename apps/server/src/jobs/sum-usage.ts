import { reportBelowCost } from '../billing/margin/below-cost.ts'
import { defineJob } from '../core/define-job.ts'
import { storeCacheSums } from '../core/usage/store-cache-sums.ts'
import { storeSums } from '../core/usage/store-sums.ts'
import { reportUnusualSpend } from '../features/operations/unusual-spend.ts'

/**
 * Sums ended quarter hours of the logs for the operations page, reports unusual spend and models below cost in them, and
 * sums what prompt caches read of them. Sums are written over equal ones, and a day of a user is reported once: idempotent.
 */
export default defineJob({
  name: 'sum-usage',
  everySeconds: 60,
  run: async app => {
    if (!(await storeSums(app))) return
    // A failure of one does not stop the other.
    try {
      await reportUnusualSpend(app)
    } finally {
      try {
        await storeCacheSums(app)
      } finally {
        await reportBelowCost(app)
      }
    }
  },
})
