import { rewardSpending } from '../billing/invitations/reward-spending.ts'
import { defineJob } from '../core/define-job.ts'

export default defineJob({
  name: 'reward-inviters',
  everySeconds: 60,
  run: rewardSpending,
})
