import { defineJob } from '../core/define-job.ts'
import { reportNode } from '../features/system-info/report-node.ts'

/** Each node says how it is, for the system page. */
export default defineJob({
  name: 'report-node',
  everySeconds: 10,
  everyNode: true,
  run: reportNode,
})
