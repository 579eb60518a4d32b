import { runDueTests } from '../channel-tests/index.ts'
import { defineJob } from '../core/define-job.ts'

/** Tests all channels at the interval of the setting. Idempotent: a recently started batch run is not repeated. */
export default defineJob({
  name: 'test-channels',
  everySeconds: 60,
  run: app => runDueTests(app, app.settings().channels.ChannelTestFrequency),
})
