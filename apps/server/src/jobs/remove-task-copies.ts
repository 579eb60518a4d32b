import { defineJob } from '../core/define-job.ts'
import { removeExpiredImages } from '../relay/index.ts'
import { removeCopies } from '../tasks/copies/remove.ts'

/** Deletes copies of results and images that have expired, and copies of deleted tasks. Idempotent. */
export default defineJob({
  name: 'remove-task-copies',
  everySeconds: 60,
  run: async app => {
    await removeCopies(app)
    await removeExpiredImages(app)
  },
})
