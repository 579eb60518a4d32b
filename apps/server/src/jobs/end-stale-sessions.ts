import { nowSeconds } from '../core/app.ts'
import { defineJob } from '../core/define-job.ts'
import { endStale, idleSecondsMax } from '../db/queries/sessions.ts'

/** Deletes expired sessions. Idempotent: a second run finds none. */
export default defineJob({
  name: 'end-stale-sessions',
  everySeconds: 3600,
  run: app => {
    const now = nowSeconds(app)
    return endStale(app.db, now, now - idleSecondsMax)
  },
})
