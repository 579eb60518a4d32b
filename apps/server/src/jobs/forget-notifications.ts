import { nowSeconds } from '../core/app.ts'
import { defineJob } from '../core/define-job.ts'
import { removeBefore } from '../db/queries/deliveries.ts'

const retentionSeconds = 30 * 86_400

/** Deletes deliveries that ended 30 days ago; until then their keys prevent duplicates. Idempotent. */
export default defineJob({
  name: 'forget-notifications',
  everySeconds: 3600,
  run: app => removeBefore(app.db, nowSeconds(app) - retentionSeconds),
})
