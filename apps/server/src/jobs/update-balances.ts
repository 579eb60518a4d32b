import { defineJob } from '../core/define-job.ts'
import { runDueRound } from '../relay/index.ts'

/** Asks all vendors what is left as often as the setting says. Twice is as good as once: a round that began lately is not repeated. */
export default defineJob({
  name: 'update-balances',
  everySeconds: 60,
  run: app => runDueRound(app, 'balance', app.settings().channels.ChannelUpdateFrequency),
})
