import { defineJob } from '../core/define-job.ts'
import { forgetBefore } from '../db/queries/stored.ts'

/** As long as vendors keep answers: https://platform.openai.com/docs/guides/conversation-state */
const keptSeconds = 30 * 86_400

/** Which account keeps which answer, after the vendor has forgotten it too. Twice is as good as once. */
export default defineJob({
  name: 'forget-stored',
  everySeconds: 3600,
  run: app => forgetBefore(app.db, Math.floor(app.now() / 1000) - keptSeconds),
})
