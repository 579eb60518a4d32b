import { nowSeconds } from '../core/app.ts'
import { defineJob } from '../core/define-job.ts'
import { removeExpired } from '../db/queries/stored-resources.ts'

/** A vendor may delete an expired object later than it said. */
const graceSeconds = 86_400

/** Deletes the owners of stored objects that have expired at their vendor. Idempotent. */
export default defineJob({
  name: 'forget-stored-objects',
  everySeconds: 3600,
  run: app => removeExpired(app.db, nowSeconds(app) - graceSeconds),
})
