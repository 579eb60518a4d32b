import { parseArgs } from 'node:util'
import { engines } from '../harness/engines.ts'
import { codex } from './clients/codex.ts'
import { translatedClients } from './clients/translated.ts'
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
  memory,
  faulty,
  previousRelease,
  containerImage,
  securityMutationTests,
]

const { values } = parseArgs({
  options: {
    /** One or several names; absent: all. */
    part: { type: 'string', multiple: true },
    /** Kills of each engine in the crash part. */
    rounds: { type: 'string', default: '500' },
    /** Minutes of the load with faults, for all engines in parallel. */
    minutes: { type: 'string', default: '30' },
    /** On each engine, of the ledger against its model. */
    operations: { type: 'string', default: '1000000' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    engine: { type: 'string' },
  },
})

const names = parts.map(each => each.name)
const unknown = values.part?.filter(each => !names.includes(each)) ?? []
if (unknown.length) {
  console.error(`There is no part ${unknown.join(', ')}; there are ${names.join(', ')}.`)
  process.exit(2)
}

const missing = engines.filter(each => !each.available)
for (const { name } of missing) console.log(`Left out: ${name} is not installed.`)
const soakOptions = {
  engines: engines.filter(
    each => each.available && (values.engine === undefined || values.engine === each.name),
  ),
  seed: Number(values.seed),
  rounds: Number(values.rounds),
  minutes: Number(values.minutes),
  operations: Number(values.operations),
}

console.log(`Seed ${soakOptions.seed}.`)
const unsound: string[] = []
for (const part of parts) {
  if (values.part && !values.part.includes(part.name)) continue
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
