import { nowSeconds } from '../core/app.ts'
import { defineJob } from '../core/define-job.ts'
import { removeBefore } from '../db/queries/idempotency.ts'

const retentionSeconds = 86_400

/** Deletes idempotency keys after the documented day. Idempotent. */
export default defineJob({
  name: 'forget-idempotency-keys',
  everySeconds: 900,
  run: app => removeBefore(app.db, nowSeconds(app) - retentionSeconds),
})
