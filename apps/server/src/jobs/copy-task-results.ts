import { defineJob } from '../core/define-job.ts'
import { workQueues } from '../db/queries/work-queues.ts'
import { copyResults } from '../tasks/copies/copy.ts'

/** Copies results of completed tasks into the data folder, where the setting wants it. Idempotent. */
export default defineJob({
  name: 'copy-task-results',
  everySeconds: 5,
  queue: workQueues.taskCopies,
  run: copyResults,
})
