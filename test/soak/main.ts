import { readCommandLine } from '../../apps/server/src/lib/command-line/read.mjs'
import { programs } from '../../scripts/lib/programs.mjs'
import { engines } from '../harness/engines.ts'
import { smallBalances } from './clients/agents.ts'
import { cachedPrompts } from './clients/cache.ts'
import { codex } from './clients/codex.ts'
import { agentGrid } from './clients/grid.ts'
import { movingSessions } from './clients/moving.ts'
import { translatedClients } from './clients/translated.ts'
import { chainedGateways } from './clients/two-hops.ts'
import { containerImage } from './container-image.ts'
import { crash } from './crash.ts'
import { writeSection } from './document.ts'
import { faulty } from './faults.ts'
import { ledger } from './ledger.ts'
import { longerTests } from './longer-tests.ts'
import { memory } from './memory.ts'
import { guarded, type Part, type Result } from './part.ts'
import { previousRelease } from './previous-release.ts'
import { securityMutationTests } from './security-mutations.ts'

const parts: readonly Part[] = [
  crash,
  ledger,
  ...longerTests,
  codex,
  translatedClients,
  smallBalances,
  cachedPrompts,
  agentGrid,
  movingSessions,
  chainedGateways,
  memory,
  faulty,
  previousRelease,
  containerImage,
  securityMutationTests,
]

const line = readCommandLine(programs['test:long']!)
const chosen = line.texts('part')
const engine = line.text('engine')

const names = parts.map(each => each.name)
const unknown = chosen.filter(each => !names.includes(each))
if (unknown.length) {
  console.error(`There is no part ${unknown.join(', ')}; there are ${names.join(', ')}.`)
  process.exit(2)
}

const missing = engines.filter(each => !each.available)
for (const { name } of missing) console.log(`Left out: ${name} is not installed.`)
const soakOptions = {
  engines: engines.filter(each => each.available && (engine === '' || engine === each.name)),
  seed: Number(line.text('seed') || Date.now() % 1_000_000),
  rounds: Number(line.text('rounds')),
  minutes: Number(line.text('minutes')),
  operations: Number(line.text('operations')),
}

console.log(`Seed ${soakOptions.seed}.`)
const unsound: string[] = []
for (const part of parts) {
  if (chosen.length > 0 && !chosen.includes(part.name)) continue
  console.log(`\n${part.title}`)
  const since = Date.now()
  const nothing: Result = { rows: [], isSound: false }
  const result = await guarded(
    `${part.name}, seed ${soakOptions.seed}`,
    () => part.run(soakOptions),
    () => nothing,
  )
  if (result.rows.length) console.log(writeSection(part, result, parts))
  if (!result.isSound) unsound.push(part.name)
  console.log(`${part.name}: ${Math.round((Date.now() - since) / 1000)} s`)
}
console.log(unsound.length ? `Not sound: ${unsound.join(', ')}.` : 'Sound.')
process.exit(unsound.length ? 1 : 0)
