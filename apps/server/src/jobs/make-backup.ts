import { runDueBackup } from '../backup/run.ts'
import { defineJob } from '../core/define-job.ts'

/** Makes the backup that is due. A run is claimed in the database, so that a second one does nothing. */
export default defineJob({ name: 'make-backup', everySeconds: 60, run: runDueBackup })
