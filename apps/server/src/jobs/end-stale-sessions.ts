import { defineJob } from '../core/define-job.ts'
import { endStale } from '../db/queries/sessions.ts'
import { idleSecondsMax } from '../lib/session-age.ts'

/** Sessions nobody can use any more. Twice is as good as once: the second run finds none. */
export default defineJob({
  name: 'end-stale-sessions',
  everySeconds: 3600,
  run: app => {
    const now = Math.floor(app.now() / 1000)
    return endStale(app.db, now, now - idleSecondsMax)
  },
})
