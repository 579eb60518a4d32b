// npm run test:soak: the crash proof, many more times. CI runs a tenth of its rounds inside `npm test`.
import { install } from './lib/installed.mjs'
import { tool } from './lib/tool.mjs'

await install()
process.exitCode = await tool('node', ['test/soak/main.ts', ...process.argv.slice(2)], {
  ENGINES: 'all',
})
