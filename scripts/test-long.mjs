// npm run test:long: grids, kills, clients and mutations in full, for hours. The first two tiers run samples of them.
import { readCommandLine } from '../apps/server/src/lib/command-line/read.mjs'
import { installWithTests } from './lib/installed.mjs'
import { programs } from './lib/programs.mjs'
import { tool } from './lib/tool.mjs'

readCommandLine(programs['test:long'])
await installWithTests()
process.exitCode = await tool('node', ['test/soak/main.ts', ...process.argv.slice(2)], {
  ENGINES: 'all',
})
