// npm run bench, bench:large, bench:selector and bench:start; each has --help.
import { readCommandLine } from '../apps/server/src/lib/command-line/read.mjs'
import { buildAll } from './lib/build.mjs'
import { installWithTests } from './lib/installed.mjs'
import { programs } from './lib/programs.mjs'
import { tool } from './lib/tool.mjs'

const files = {
  bench: 'bench/main.ts',
  'bench:large': 'bench/large/main.ts',
  'bench:selector': 'bench/selector.ts',
  'bench:start': 'bench/start/main.ts',
}

const [name, ...args] = process.argv.slice(2)
readCommandLine(programs[name], args)

await installWithTests()
await buildAll()
process.exitCode = await tool('node', [files[name], ...args], { HUB_BUNDLE: '1' })
