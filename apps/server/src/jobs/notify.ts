import type { QueuedJobs } from '../core/define-job.ts'
import { sendLetter } from '../features/settings/mail.ts'

/** A letter that comes twice carries the same message id, so that mail programs show it once. */
export const notify: QueuedJobs['notify'] = (app, letter, key) => sendLetter(app, letter, key)
