import { defineJob } from '../core/define-job.ts'
import { storeSums } from '../features/operations/store-sums.ts'

/** Sums ended quarter hours of the logs for the operations page. Sums are written over equal ones: idempotent. */
export default defineJob({ name: 'sum-usage', everySeconds: 60, run: storeSums })
