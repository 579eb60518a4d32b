import { nowSeconds } from '../core/app.ts'
import { defineJob } from '../core/define-job.ts'

/** Creates log partitions ahead of time and frees unused space. Idempotent. */
export default defineJob({
  name: 'maintain-store',
  everySeconds: 86_400,
  run: app => app.maintainStore(nowSeconds(app)),
})
