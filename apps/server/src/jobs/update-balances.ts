import { runDueBalances } from '../channel-tests/index.ts'
import { defineJob } from '../core/define-job.ts'

/** Reads the balances that are due at the interval of the setting. Idempotent: a channel that was read is not due again. */
export default defineJob({
  name: 'update-balances',
  everySeconds: 60,
  run: app => runDueBalances(app, app.settings().channels.ChannelUpdateFrequency),
})
