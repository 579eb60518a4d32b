import { defineJob } from '../core/define-job.ts'
import { remindOfQuota } from '../features/users/quota-reminders.ts'

/** Idempotent: the reminder and its queued email are committed together, so a second run finds no user. */
export default defineJob({ name: 'remind-of-quota', everySeconds: 30, run: remindOfQuota })
