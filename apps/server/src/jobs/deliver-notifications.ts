import { defineJob } from '../core/define-job.ts'
import { deliverDue } from '../notifications/deliver.ts'

/** Sends queued notifications. One statement reserves each target, so a second node takes another one. */
export default defineJob({ name: 'deliver-notifications', everySeconds: 2, run: deliverDue })
