import { defineJob } from '../core/define-job.ts'
import { workOff } from '../core/queue.ts'
import { notify } from './notify.ts'

/** Promised work, in the order it is due. Each entry is taken in one statement: a second worker finds another one. */
export default defineJob({
  name: 'work-queue',
  everySeconds: 2,
  run: app => workOff(app, { notify }),
})
