import { runDueBatch } from '../channel-tests/index.ts'
import { defineJob } from '../core/define-job.ts'

/** Updates all balances at the interval of the setting. Idempotent: a recently started batch run is not repeated. */
export default defineJob({
  name: 'update-balances',
  everySeconds: 60,
  run: app => runDueBatch(app, 'balance', app.settings().channels.ChannelUpdateFrequency),
})
