import { defineJob } from '../core/define-job.ts'
import { workQueues } from '../db/queries/work-queues.ts'
import { pollBatches } from '../stored-objects/batches/poll.ts'

/** Polls batches and charges those that have ended. Each charge has its own id and is posted once. */
export default defineJob({
  name: 'charge-batches',
  everySeconds: 2,
  queue: workQueues.batches,
  run: pollBatches,
})
