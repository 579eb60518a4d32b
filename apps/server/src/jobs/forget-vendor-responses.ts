import { nowSeconds } from '../core/app.ts'
import { defineJob } from '../core/define-job.ts'
import { removeBefore } from '../db/queries/vendor-responses.ts'

/** Vendors store responses for 30 days: https://platform.openai.com/docs/guides/conversation-state */
const retentionSeconds = 30 * 86_400

/** Deletes the owners of vendor-stored responses once the vendor has deleted the responses. Idempotent. */
export default defineJob({
  name: 'forget-vendor-responses',
  everySeconds: 3600,
  run: app => removeBefore(app.db, nowSeconds(app) - retentionSeconds),
})
