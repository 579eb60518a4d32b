// npm run conformance: runs every caller × every upstream × every feature, and writes the page. npm run conformance
// -- mutations: checks that mutated responses and sources are noticed.
import { install } from './lib/installed.mjs'
import { tool } from './lib/tool.mjs'

const grid = 'apps/server/src/features/conformance/grid.json'

await install()
const words = process.argv.slice(2)
const [program, rest] =
  words[0] === 'mutations'
    ? ['test/conformance/mutations/main.ts', words.slice(1)]
    : ['test/conformance/main.ts', words]
process.exitCode = await tool('node', [program, ...rest])
if (process.exitCode === 0 && words.length === 0)
  process.exitCode = await tool('biome', ['format', '--write', grid])
