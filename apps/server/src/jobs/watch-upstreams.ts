import { readDueUpstreams } from '../channel-tests/index.ts'
import { defineJob } from '../core/define-job.ts'

/** Idempotent: a list or a multiplier that was read already is not due again. */
export default defineJob({ name: 'watch-upstreams', everySeconds: 3_600, run: readDueUpstreams })
