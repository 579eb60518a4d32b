import { defineJob } from '../core/define-job.ts'
import { processQueue } from '../core/queue.ts'
import { workQueues } from '../db/queries/work-queues.ts'
import { notify } from './notify.ts'

/** Runs queued work in the order it is due. One statement leases each entry, so a second worker gets another one. */
export default defineJob({
  name: 'work-queue',
  everySeconds: 2,
  queue: workQueues.queued,
  run: app => processQueue(app, { notify }),
})
