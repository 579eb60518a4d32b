import { defineJob } from '../core/define-job.ts'
import { workQueues } from '../db/queries/work-queues.ts'
import { deliverDue } from '../notifications/deliver.ts'

/** Sends queued notifications. One statement reserves each target, so a second node takes another one. */
export default defineJob({
  name: 'deliver-notifications',
  everySeconds: 2,
  queue: workQueues.notifications,
  run: deliverDue,
})
