import { nowSeconds } from '../core/app.ts'
import { defineJob } from '../core/define-job.ts'
import { removeBefore } from '../db/queries/local-responses.ts'

const daySeconds = 86_400

/** Deletes locally stored responses that are older than the setting allows or have no owner. Idempotent. */
export default defineJob({
  name: 'forget-local-responses',
  everySeconds: 3600,
  run: app => {
    const { KeepResponsesDays } = app.settings().responses
    return removeBefore(app.db, nowSeconds(app) - KeepResponsesDays * daySeconds)
  },
})
