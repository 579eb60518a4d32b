import { nowSeconds } from '../core/app.ts'
import { defineJob } from '../core/define-job.ts'
import * as orderEvents from '../db/queries/order-events.ts'

const retentionSeconds = 30 * 86_400

/** Removes refused payment notices that belong to no order. */
export default defineJob({
  name: 'forget-refused-notices',
  everySeconds: 3600,
  run: app => orderEvents.removeUnassigned(app.db, nowSeconds(app) - retentionSeconds),
})
