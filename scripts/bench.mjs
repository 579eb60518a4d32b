// npm run bench: what a call costs, in multiples of a bare pipe. `-- --quick` for one short round.
// npm run bench:selector: choosing among 10,000 channels against 10.
// npm run bench:start: how long a start takes, and how much memory the server holds at rest.
// npm run bench:large: the same call, the lists, and the console in Chromium, with millions of rows. `-- --scale 0.01` for a small try.
import { buildAll } from './lib/build.mjs'
import { installWithTests } from './lib/installed.mjs'
import { tool } from './lib/tool.mjs'

await installWithTests()
await buildAll()
const [, , first, ...rest] = process.argv
const programs = {
  large: 'bench/large/main.ts',
  selector: 'bench/selector.ts',
  start: 'bench/start/main.ts',
}
const [program, options] =
  first in programs ? [programs[first], rest] : ['bench/main.ts', process.argv.slice(2)]
process.exitCode = await tool('node', [program, ...options], { HUB_BUNDLE: '1' })
