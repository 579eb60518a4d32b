import { defineJob } from '../core/define-job.ts'
import { remindOfQuota } from '../features/users/remind.ts'

/** Who was told is written down with the letter: a second run finds nobody to tell. */
export default defineJob({ name: 'remind-of-quota', everySeconds: 30, run: remindOfQuota })
