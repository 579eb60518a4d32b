import { defineJob } from '../core/define-job.ts'
import { lookAfterRunning } from '../relay/index.ts'

/** Asks how far background calls are and charges what has ended. Each call is taken in one statement, and charged once. */
export default defineJob({ name: 'charge-background', everySeconds: 2, run: lookAfterRunning })
