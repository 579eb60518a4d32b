// npm run screenshots: the pictures of the README, taken from seeded data in a real browser.
// npm run bench:console: what each page transfers, written to docs/benchmarks-console.md.
import { buildAll } from './lib/build.mjs'
import { installWithTests } from './lib/installed.mjs'
import { tool } from './lib/tool.mjs'

await installWithTests()
await buildAll()
const program = process.argv.includes('weigh') ? 'weigh-pages.ts' : 'screenshots.ts'
process.exitCode = await tool('node', [`test/e2e/${program}`])
