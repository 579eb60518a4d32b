import { nowSeconds } from '../core/app.ts'
import { defineJob } from '../core/define-job.ts'
import { removeBefore } from '../db/queries/channel-changes.ts'

const retentionSeconds = 90 * 86_400

/** Deletes the evidence of old changes of channels. The audit log keeps who did what. Idempotent. */
export default defineJob({
  name: 'forget-channel-changes',
  everySeconds: 3600,
  run: app => removeBefore(app.db, nowSeconds(app) - retentionSeconds),
})
