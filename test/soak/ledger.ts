import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { audit } from '../../apps/server/src/auditor/audit.ts'
import { runLedgerWorkload } from '../../apps/server/test/ledger/workload.ts'
import { startPostgres } from '../../apps/server/test/postgres.ts'
import type { Engine } from '../harness/engines.ts'
import { guarded, type Part } from './part.ts'

type LedgerLine = { engine: string; seed: number; operations: number; findings: number }

/**
 * The ledger against its model, many at once, on one engine; afterwards the shipped auditor reads what came of it. An
 * answer that is not the model's ends it with the step and the seed.
 */
const ledgerOperations = async (
  { name }: Engine,
  { operations, seed }: { operations: number; seed: number },
): Promise<LedgerLine> => {
  const dataDir = mkdtempSync(join(tmpdir(), 'hub-soak-ledger-'))
  const postgres = name === 'PostgreSQL' ? await startPostgres() : undefined
  try {
    const place = { dataDir, databaseUrl: await postgres?.database('ledger') }
    console.log(`${name}, ledger: ${operations} operations, seed ${seed}`)
    const played = await runLedgerWorkload(place, { operations, seed })
    const { results: verdicts } = await audit(place)
    const findings = verdicts.flatMap(each => each.findings)
    for (const { row, description: what } of findings.slice(0, 20)) console.log(`${row}: ${what}`)
    return { engine: name, seed, operations: played.operations, findings: findings.length }
  } finally {
    await postgres?.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

export const ledger: Part = {
  name: 'ledger',
  title: 'The ledger against its reference model',
  intro: `Fifty users at once: half of them run operations one by one, half run several concurrently. Then the auditor runs.`,
  columns: ['Engine', 'Seed', 'Operations', 'Findings'],
  run: async ({ engines, operations, seed }) => {
    const lines: LedgerLine[] = []
    for (const engine of engines) {
      const { name } = engine
      const work = () => ledgerOperations(engine, { operations, seed })
      const broken = () => ({ engine: name, seed, operations: 0, findings: 1 })
      lines.push(await guarded(`${name}, ledger, seed ${seed}`, work, broken))
    }
    return {
      rows: lines.map(each => [each.engine, each.seed, each.operations, each.findings]),
      isSound: lines.every(each => each.findings === 0),
    }
  },
}
