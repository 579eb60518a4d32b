// npm run conformance: every caller × every upstream × every feature; `--help` shows its parts.
import { readCommandLine } from '../apps/server/src/lib/command-line/read.mjs'
import { installWithTests } from './lib/installed.mjs'
import { programs } from './lib/programs.mjs'
import { tool } from './lib/tool.mjs'

const results = ['grid.json', 'providers.json'].map(
  name => `apps/server/src/features/conformance/${name}`,
)
const providers = 'test/conformance/providers/main.ts'

const [first, ...rest] = process.argv.slice(2)
const isMutations = first === 'mutations'
const { words } = isMutations
  ? readCommandLine(programs['conformance mutations'], rest)
  : readCommandLine(programs.conformance)
if (first === 'providers') readCommandLine({ ...programs.conformance, words: { min: 0, max: 1 } })

await installWithTests()
const isWhole = words.length === 0 && !isMutations
if (isWhole) process.exitCode = await tool('node', [providers])
const [program, args] = isMutations
  ? ['test/conformance/mutations/main.ts', rest]
  : first === 'providers'
    ? [providers, []]
    : ['test/conformance/main.ts', words]
process.exitCode ||= await tool('node', [program, ...args])
if (process.exitCode === 0 && (isWhole || first === 'providers'))
  process.exitCode = await tool('biome', ['format', '--write', ...results])
