import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openDatabase } from '../../../harness/engines.ts'
import { startGateway } from '../../../harness/gateway.ts'
import { root } from '../../../harness/paths.ts'
import { describeEnginesInParallel } from '../../../harness/runner/describe-engines.ts'
import { until } from '../../../harness/runner/until.ts'

const countTimers = join(root, 'test/harness/process/count-timers.mjs')
/** Jobs of each minute fire about ten in this time. The clocks and polls of a server that does not rest fire a hundred. */
const windowSeconds = 6
const firedMax = 30
/** After a start, jobs are begun one by one, and changes that the start made are looked for. */
const restsWithinSeconds = 60

describeEnginesInParallel(engine => {
  it('a server at rest wakes for less than five timers a second', async () => {
    const database = await openDatabase(engine)
    const gateway = await startGateway({
      databaseUrl: database.url,
      nodeArguments: ['--import', countTimers],
    })
    try {
      const sums = () =>
        [...gateway.output().matchAll(/timers fired: (\d+)/g)].map(([, sum]) => Number(sum))
      const lowest = () =>
        Math.min(...sums().map((sum, index, all) => (all[index + windowSeconds] ?? 1e9) - sum))
      await until(
        'the server rests',
        () => lowest() <= firedMax || sums().length > restsWithinSeconds,
      )
      console.log(`at rest on ${engine.name}: ${lowest()} timers in ${windowSeconds} s`)
      expect(lowest()).toBeLessThanOrEqual(firedMax)
    } finally {
      await gateway.close()
      await database.close()
    }
  })
})
