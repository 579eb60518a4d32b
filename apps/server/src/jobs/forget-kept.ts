import { defineJob } from '../core/define-job.ts'
import { forgetBefore } from '../db/queries/kept.ts'

const daySeconds = 86_400

/** Answers that the gateway kept longer than the setting allows, or that nobody owns. Twice is as good as once. */
export default defineJob({
  name: 'forget-kept',
  everySeconds: 3600,
  run: app => {
    const { KeepResponsesDays } = app.settings().responses
    return forgetBefore(app.db, Math.floor(app.now() / 1000) - KeepResponsesDays * daySeconds)
  },
})
