import { defineJob } from '../core/define-job.ts'
import { updatePricesIfDue } from '../features/prices/auto-update.ts'

/** Idempotent: a list that was applied changes nothing the second time. */
export default defineJob({ name: 'update-prices', everySeconds: 60, run: updatePricesIfDue })
