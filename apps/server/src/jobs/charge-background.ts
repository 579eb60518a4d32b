import { defineJob } from '../core/define-job.ts'
import { pollBackgroundCalls } from '../relay/index.ts'

/** Polls background calls and charges those that have ended. One statement claims each call, so it is charged once. */
export default defineJob({ name: 'charge-background', everySeconds: 2, run: pollBackgroundCalls })
