import type { QueueHandlers } from '../core/define-job.ts'
import { sendEmail } from '../notifications/mail.ts'

/** A repeated email has the same message id, so that mail programs show it once. */
export const notify: QueueHandlers['notify'] = sendEmail
