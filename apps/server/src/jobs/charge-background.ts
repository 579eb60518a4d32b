import { defineJob } from '../core/define-job.ts'
import { workQueues } from '../db/queries/work-queues.ts'
import { pollBackgroundCalls } from '../relay/index.ts'

/** Polls background calls and charges those that have ended. One statement claims each call, so it is charged once. */
export default defineJob({
  name: 'charge-background',
  everySeconds: 2,
  queue: workQueues.background,
  run: pollBackgroundCalls,
})
