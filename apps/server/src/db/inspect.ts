import { Kysely } from 'kysely'
import type { Logger } from 'pino'
import type { Engine } from './engines/engine.ts'
import { type EngineFacts, readEngineFacts } from './engines/facts.ts'
import { withExplainedFailures } from './engines/open-failure.ts'
import type { Database } from './index.ts'
import { migrations } from './migrations/index.ts'
import { openEngine } from './open.ts'
import * as executed from './queries/executed-migrations.ts'
import { isAnswering } from './queries/health.ts'
import * as options from './queries/options.ts'
import type { Tables } from './tables/index.ts'

export type Inspection = EngineFacts & {
  /** Median of a few answers. */
  milliseconds: number
  /** Migrations of this release that the next start runs. */
  missing: string[]
  /** Migrations of a later release. */
  unknown: string[]
  /** The migration of the oldest release that can read the database, where one is recorded. */
  oldestCompatible: string | undefined
  /** Why nothing can be written; undefined: it can. */
  writeError: string | undefined
}

type Source = { databaseUrl: string | undefined; dataDir: string; log: Logger }

/** Looks at a database that gateways may use at the same time, and changes nothing. Throws if it does not answer. */
export const withInspectedDatabase = async <T>(
  source: Source,
  work: (inspection: Inspection, db: Database) => Promise<T>,
): Promise<T> => {
  const engine = await withExplainedFailures(source, () => openEngine(source, () => {}))
  const db: Database = new Kysely<Tables>({ dialect: engine.dialect })
  try {
    return await work(await withExplainedFailures(source, () => inspect(source, engine, db)), db)
  } finally {
    await db.destroy()
    await engine.close()
  }
}

const inspect = async (source: Source, engine: Engine, db: Database): Promise<Inspection> => {
  const facts = await readEngineFacts(source)
  const names = await executed.listNames(db)
  const known = Object.keys(migrations(engine.schema))
  return {
    ...facts,
    milliseconds: await measure(db),
    missing: known.filter(each => !names.includes(each)),
    unknown: names.filter(each => !known.includes(each)),
    oldestCompatible: names.length > 0 ? await executed.findOldestCompatible(db) : undefined,
    writeError: names.length > 0 ? await tryWrite(db) : undefined,
  }
}

const samples = 5

const measure = async (db: Database): Promise<number> => {
  const times: number[] = []
  for (let at = 0; at < samples; at += 1) {
    const begin = performance.now()
    await isAnswering(db)
    times.push(performance.now() - begin)
  }
  return times.sort((a, b) => a - b)[Math.floor(samples / 2)] ?? 0
}

const tryWrite = async (db: Database): Promise<string | undefined> => {
  try {
    const tx = await db.startTransaction().execute()
    try {
      await options.write(tx, 'DoctorProbe', '')
    } finally {
      await tx.rollback().execute()
    }
    return undefined
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}
