import { nowSeconds } from '../core/app.ts'
import { defineJob } from '../core/define-job.ts'
import { removeBefore } from '../db/queries/channel-balances.ts'

const retentionSeconds = 90 * 86_400

/** Removes old readings of balances. Idempotent. */
export default defineJob({
  name: 'forget-channel-balances',
  everySeconds: 3600,
  run: app => removeBefore(app.db, nowSeconds(app) - retentionSeconds),
})
