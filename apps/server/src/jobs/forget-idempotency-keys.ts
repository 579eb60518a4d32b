import { defineJob } from '../core/define-job.ts'
import { forgetBefore } from '../db/queries/idempotency.ts'

const keptSeconds = 86_400

/** A key protects for a day, as the documentation says. Twice is as good as once. */
export default defineJob({
  name: 'forget-idempotency-keys',
  everySeconds: 900,
  run: app => forgetBefore(app.db, Math.floor(app.now() / 1000) - keptSeconds),
})
