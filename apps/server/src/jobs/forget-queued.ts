import { defineJob } from '../core/define-job.ts'
import { forgetBefore } from '../db/queries/queue.ts'

const rememberedSeconds = 30 * 86_400

/** Queued work that ended long ago. Twice is as good as once. */
export default defineJob({
  name: 'forget-queued',
  everySeconds: 3600,
  run: app => forgetBefore(app.db, Math.floor(app.now() / 1000) - rememberedSeconds),
})
