import { nowSeconds } from '../core/app.ts'
import { defineJob } from '../core/define-job.ts'
import { removeExpired } from '../db/queries/one-time-codes.ts'
import { endStale, idleSecondsMax } from '../db/queries/sessions.ts'

/** Deletes expired sessions and one-time codes. Idempotent: a second run finds none. */
export default defineJob({
  name: 'end-stale-sessions',
  everySeconds: 3600,
  run: async app => {
    const now = nowSeconds(app)
    await removeExpired(app.db, now)
    return endStale(app.db, now, now - idleSecondsMax)
  },
})
