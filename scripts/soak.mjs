// npm run test:soak: the crash test with many more rounds. `npm test` runs a sample of them.
import { installWithTests } from './lib/installed.mjs'
import { tool } from './lib/tool.mjs'

await installWithTests()
process.exitCode = await tool('node', ['test/soak/main.ts', ...process.argv.slice(2)], {
  ENGINES: 'all',
})
