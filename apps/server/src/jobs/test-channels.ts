import { defineJob } from '../core/define-job.ts'
import { runDueRound } from '../relay/index.ts'

/** Tests all channels as often as the setting says. Twice is as good as once: a round that began lately is not repeated. */
export default defineJob({
  name: 'test-channels',
  everySeconds: 60,
  run: app => runDueRound(app, 'test', app.settings().channels.ChannelTestFrequency),
})
