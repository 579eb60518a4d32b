import type { Job } from '../core/define-job.ts'
import chargeBackground from './charge-background.ts'
import chargeBatches from './charge-batches.ts'
import copyTaskResults from './copy-task-results.ts'
import deliverNotifications from './deliver-notifications.ts'
import endPendingRefunds from './end-pending-refunds.ts'
import endStaleSessions from './end-stale-sessions.ts'
import forgetChannelBalances from './forget-channel-balances.ts'
import forgetChannelChanges from './forget-channel-changes.ts'
import forgetIdempotencyKeys from './forget-idempotency-keys.ts'
import forgetLocalResponses from './forget-local-responses.ts'
import forgetNotifications from './forget-notifications.ts'
import forgetQueued from './forget-queued.ts'
import forgetRefusedNotices from './forget-refused-notices.ts'
import forgetStoredObjects from './forget-stored-objects.ts'
import forgetVendorResponses from './forget-vendor-responses.ts'
import maintainStore from './maintain-store.ts'
import makeBackup from './make-backup.ts'
import makeInvoices from './make-invoices.ts'
import optimizeStore from './optimize-store.ts'
import pollTasks from './poll-tasks.ts'
import reconcileOrders from './reconcile-orders.ts'
import remindOfQuota from './remind-of-quota.ts'
import removeOldLogs from './remove-old-logs.ts'
import removeOldTasks from './remove-old-tasks.ts'
import removeTaskCopies from './remove-task-copies.ts'
import reportLateBackup from './report-late-backup.ts'
import reportNode from './report-node.ts'
import rewardInviters from './reward-inviters.ts'
import sendTaskCallbacks from './send-task-callbacks.ts'
import sumUsage from './sum-usage.ts'
import testChannels from './test-channels.ts'
import updateBalances from './update-balances.ts'
import updatePrices from './update-prices.ts'
import watchUpstreams from './watch-upstreams.ts'
import workQueue from './work-queue.ts'

export const jobs: Job[] = [
  chargeBackground,
  chargeBatches,
  copyTaskResults,
  endPendingRefunds,
  deliverNotifications,
  endStaleSessions,
  forgetChannelBalances,
  forgetChannelChanges,
  forgetIdempotencyKeys,
  forgetLocalResponses,
  forgetNotifications,
  forgetQueued,
  forgetRefusedNotices,
  forgetStoredObjects,
  forgetVendorResponses,
  maintainStore,
  makeBackup,
  makeInvoices,
  optimizeStore,
  reconcileOrders,
  pollTasks,
  remindOfQuota,
  removeOldLogs,
  removeOldTasks,
  removeTaskCopies,
  reportLateBackup,
  reportNode,
  rewardInviters,
  sendTaskCallbacks,
  sumUsage,
  testChannels,
  updateBalances,
  updatePrices,
  watchUpstreams,
  workQueue,
]
