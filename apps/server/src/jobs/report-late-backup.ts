import { defineJob } from '../core/define-job.ts'
import { reportLateBackup } from '../core/notifications/backup-late.ts'

/** A job of its own, because the one that makes backups may be what stands still. Idempotent. */
export default defineJob({
  name: 'report-late-backup',
  everySeconds: 900,
  run: reportLateBackup,
})
