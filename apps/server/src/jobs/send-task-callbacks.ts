import { defineJob } from '../core/define-job.ts'
import { workQueues } from '../db/queries/work-queues.ts'
import { sendCallbacks } from '../tasks/callbacks/send.ts'

/** Calls the addresses that callers named for their tasks. A receiver may be called again, with one id. */
export default defineJob({
  name: 'send-task-callbacks',
  everySeconds: 2,
  queue: workQueues.taskCallbacks,
  run: sendCallbacks,
})
