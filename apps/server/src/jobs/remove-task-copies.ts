import { defineJob } from '../core/define-job.ts'
import { removeCopies } from '../tasks/copies/remove.ts'

/** Deletes copies of results that have expired, and those of deleted tasks. Idempotent. */
export default defineJob({ name: 'remove-task-copies', everySeconds: 60, run: removeCopies })
