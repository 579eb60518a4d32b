// npm run test:soak: the crash test with many more rounds. `npm test` runs a sample of them.
import { readCommandLine } from '../apps/server/src/lib/command-line/read.mjs'
import { installWithTests } from './lib/installed.mjs'
import { programs } from './lib/programs.mjs'
import { tool } from './lib/tool.mjs'

readCommandLine(programs['test:soak'])
await installWithTests()
process.exitCode = await tool('node', ['test/soak/main.ts', ...process.argv.slice(2)], {
  ENGINES: 'all',
})
