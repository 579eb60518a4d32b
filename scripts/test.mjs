// npm test and npm run test:all: install if needed, run the suites of the tier that this machine can run, and list the
// others. The first argument is the name of the command.
import { readCommandLine } from '../apps/server/src/lib/command-line/read.mjs'
import { buildAll } from './lib/build.mjs'
import { installWithTests } from './lib/installed.mjs'
import { programs } from './lib/programs.mjs'
import { choose, suiteList } from './lib/testing/choose.mjs'
import { runSuite } from './lib/testing/run-suite.mjs'
import { chromium, leftOut } from './lib/testing/suites.mjs'

const [command, ...args] = process.argv.slice(2)
const isAll = command === 'test:all'
const { words } = readCommandLine(programs[command], args)
const { chosen, unknown } = choose(words, isAll ? 'all' : 'test')
if (unknown.length) {
  console.error(`There is no suite and no test file ${unknown.join(', ')}. ${suiteList}`)
  process.exit(2)
}

const total = { passed: 0, failed: 0, skipped: 0 }
const broken = []
/** Listed again at the very end, since a long log is often read from there. */
const failures = []
/** Tests that failed once and passed alone: a fault of the test or of the product. */
const flaky = []

const run = async suite => {
  const since = Date.now()
  if (suite.browser && !chromium()) return
  if (suite.whole) {
    await buildAll()
    process.env.HUB_BUNDLE = '1'
  }
  const result = await runSuite(suite)
  const counts = result.counts ?? { passed: 0, failed: 1, skipped: 0 }
  for (const each of Object.keys(total)) total[each] += counts[each]
  failures.push(...result.failures)
  flaky.push(...result.flaky)
  if (result.isBroken) broken.push(suite.name)
  console.log(`\n${suite.name}: ${Math.round((Date.now() - since) / 1000)} s`)
  console.log([...result.slowest, ''].join('\n'))
}

await installWithTests()
for (const suite of chosen) await run(suite)

const missing = leftOut(chosen.map(({ name }) => name))
for (const each of missing) console.log(`Left out: ${each}`)
if (words.length === 0 && !isAll)
  console.log('Left out: crashes, measures and the browser, which `npm run test:all` runs')
if (process.env.CI && missing.length) broken.push('CI leaves nothing out')
for (const each of flaky) console.log(`Flaky test, passed at its second try: ${each}`)
for (const each of failures) console.log(`Failed test: ${each}`)
if (broken.length) console.log(`Failed: ${broken.join(', ')}.`)
process.exitCode = broken.length ? 1 : 0
console.log(`${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`)
