import type { Job } from '../core/define-job.ts'
import chargeBackground from './charge-background.ts'
import endStaleSessions from './end-stale-sessions.ts'
import forgetIdempotencyKeys from './forget-idempotency-keys.ts'
import forgetLocalResponses from './forget-local-responses.ts'
import forgetQueued from './forget-queued.ts'
import forgetVendorResponses from './forget-vendor-responses.ts'
import maintainStore from './maintain-store.ts'
import optimizeStore from './optimize-store.ts'
import remindOfQuota from './remind-of-quota.ts'
import removeOldLogs from './remove-old-logs.ts'
import testChannels from './test-channels.ts'
import updateBalances from './update-balances.ts'
import workQueue from './work-queue.ts'

export const jobs: Job[] = [
  chargeBackground,
  endStaleSessions,
  forgetIdempotencyKeys,
  forgetLocalResponses,
  forgetQueued,
  forgetVendorResponses,
  maintainStore,
  optimizeStore,
  remindOfQuota,
  removeOldLogs,
  testChannels,
  updateBalances,
  workQueue,
]
