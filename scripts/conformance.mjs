// npm run conformance: every caller × every upstream × every feature, and the page that says how it went.
// npm run conformance -- mutations: whether mistakes in answers and in the sources of the dialects are noticed.
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
