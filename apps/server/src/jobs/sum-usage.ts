import { defineJob } from '../core/define-job.ts'
import { storeSums } from '../core/usage/store-sums.ts'
import { reportUnusualSpend } from '../features/operations/unusual-spend.ts'

/**
 * Sums ended quarter hours of the logs for the operations page, and reports unusual spend in them. Sums are written over
 * equal ones, and a day of a user is reported once: idempotent.
 */
export default defineJob({
  name: 'sum-usage',
  everySeconds: 60,
  run: async app => {
    if (await storeSums(app)) await reportUnusualSpend(app)
  },
})
