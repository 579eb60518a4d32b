import { defineJob } from '../core/define-job.ts'
import { workQueues } from '../db/queries/work-queues.ts'
import { pollTasks } from '../tasks/polling/poll.ts'

/** Polls videos and other tasks of vendors, and charges those that have ended. Each charge is posted once. */
export default defineJob({
  name: 'poll-tasks',
  everySeconds: 2,
  queue: workQueues.taskPolls,
  run: pollTasks,
})
