// npm run screenshots: the pictures of the README, taken from seeded data in a real browser.
// npm run screenshots -- --sheets: every page in twelve looks, many on one picture, in node_modules/.cache/contact-sheets.
// npm run bench:console: what each page transfers, written to docs/benchmarks-console.md.
import { buildAll } from './lib/build.mjs'
import { installWithTests } from './lib/installed.mjs'
import { tool } from './lib/tool.mjs'

await installWithTests()
await buildAll()
const programs = { weigh: 'weigh-pages.ts', '--sheets': 'contact-sheets.ts' }
const program = programs[process.argv[2]] ?? 'screenshots.ts'
process.exitCode = await tool('node', [`test/e2e/${program}`])
