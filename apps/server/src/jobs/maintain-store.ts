import { defineJob } from '../core/define-job.ts'

/** Log partitions are made ahead and free space is given back. Twice is as good as once. */
export default defineJob({
  name: 'maintain-store',
  everySeconds: 86_400,
  run: app => app.maintainStore(Math.floor(app.now() / 1000)),
})
