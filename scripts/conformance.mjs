// npm run conformance: runs every caller × every upstream × every feature, and writes the pages. npm run conformance
// -- providers: writes the page of providers only. -- mutations: checks that mutated responses and sources are noticed.
import { installWithTests } from './lib/installed.mjs'
import { tool } from './lib/tool.mjs'

const results = ['grid.json', 'providers.json'].map(
  name => `apps/server/src/features/conformance/${name}`,
)

await installWithTests()
const words = process.argv.slice(2)
const providers = 'test/conformance/providers/main.ts'
if (words.length === 0) process.exitCode = await tool('node', [providers])
const [program, rest] =
  words[0] === 'mutations'
    ? ['test/conformance/mutations/main.ts', words.slice(1)]
    : words[0] === 'providers'
      ? [providers, []]
      : ['test/conformance/main.ts', words]
process.exitCode ||= await tool('node', [program, ...rest])
if (process.exitCode === 0 && (words.length === 0 || words[0] === 'providers'))
  process.exitCode = await tool('biome', ['format', '--write', ...results])
