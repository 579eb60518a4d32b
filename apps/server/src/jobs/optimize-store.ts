import { defineJob } from '../core/define-job.ts'

/** Updates the statistics of the query planner, which go stale while tables grow. Idempotent. */
export default defineJob({
  name: 'optimize-store',
  everySeconds: 3600,
  run: app => app.optimizeStore(),
})
