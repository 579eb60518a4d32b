import { existsSync, mkdirSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { Fault } from '@hub/contract'
import { Kysely } from 'kysely'
import type { Logger } from 'pino'
import { failpoint } from '../lib/failpoint.ts'
import { openRestoreTarget, type TableWriter } from './engines/backup.ts'
import type { RestoreTarget } from './engines/backup-types.ts'
import { lockDataDir } from './engines/data-lock.ts'
import type { Engine } from './engines/engine.ts'
import { withExplainedFailures } from './engines/open-failure.ts'
import type { Database } from './index.ts'
import { migrate, migrateAs, unknownMigrations } from './migrate.ts'
import { migrations } from './migrations/index.ts'
import { databaseName, openEngine } from './open.ts'
import * as backupRuns from './queries/backup-runs.ts'
import * as nodes from './queries/nodes.ts'
import type { Tables } from './tables/index.ts'

export type RestoreOptions = {
  databaseUrl: string | undefined
  dataDir: string
  log: Logger
  /** Is asked before a database that has users is replaced; throws if it must stay. */
  confirmReplace(loss: string): Promise<void>
  /** The migrations that were executed where the tables come from; absent: all. */
  migrations?: readonly string[]
}

export type RestoredStore = {
  /** The path of the earlier database, if it was kept. */
  kept: string | undefined
  /** Files of the data folder that belonged to the earlier database, by their new names. */
  movedFiles: string[]
}

/**
 * Fills a database from a backup: gives it the schema of the backup, lets `work` write the tables in one transaction,
 * and brings the schema up to this release.
 */
export const restoreStore = (
  options: RestoreOptions,
  work: (writer: TableWriter) => Promise<void>,
): Promise<RestoredStore> => withExplainedFailures(options, () => restore(options, work))

const restore = async (
  options: RestoreOptions,
  work: (writer: TableWriter) => Promise<void>,
): Promise<RestoredStore> => {
  const { dataDir, databaseUrl } = options
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const unlock = lockDataDir(dataDir)
  const target = openRestoreTarget(options)
  const executed = options.migrations ?? Object.keys(migrations(target.schema))
  try {
    refuseUnknown(unknownMigrations(target.schema, executed))
    await checkTarget(target, options)
    await target.clear()
    failpoint('target cleared')
    await withEngine(target, options, ({ schema }, db) => migrateAs(db, schema, executed))
    failpoint('schema made')
    await target.write(writer => work(withNewEpochs(writer)))
    failpoint('tables written')
    await withEngine(target, options, async (engine, db) => {
      await migrate(db, engine)
      // The backup itself ran when its state was fixed.
      await backupRuns.removeRunning(db)
      await engine.maintain(Math.floor(Date.now() / 1000))
    })
    const movedFiles = moveFiles(dataDir, databaseName(databaseUrl))
    return { kept: await target.finish(), movedFiles }
  } finally {
    await target.close()
    unlock()
  }
}

type EmptyOptions = Omit<RestoreOptions, 'migrations'>

/** True if nobody has used the database yet. */
export const isEmptyStore = (options: Pick<EmptyOptions, 'databaseUrl' | 'dataDir'>) =>
  withExplainedFailures(options, () => {
    const target = openRestoreTarget(options)
    return target.isEmpty().finally(() => target.close())
  })

/** Replaces a database by an empty one. */
export const emptyStore = async (options: EmptyOptions): Promise<RestoredStore> => {
  let epoch = 0
  const confirmReplace = async (loss: string) => {
    await options.confirmReplace(loss)
    await withEngine(options, options, async (_, db) => {
      epoch = await nodes.lastEpoch(db)
    })
  }
  return restoreStore({ ...options, confirmReplace }, writer =>
    withNewEpochs(writer).setLastId('nodes', epoch),
  )
}

/**
 * Ids are made from epochs, and nodes that ran after the backup have used the next ones: later requests must not get
 * the ids of calls that providers and callers may still ask for.
 */
const skippedEpochs = 1000

const withNewEpochs = (writer: TableWriter): TableWriter => ({
  ...writer,
  insert: async (table, rows) => {
    await writer.insert(table, rows)
    failpoint('rows written')
  },
  setLastId: (table, lastId) =>
    writer.setLastId(table, table === 'nodes' ? lastId + skippedEpochs : lastId),
})

const refuse = (hint: string): never => {
  throw new Fault('backup.refused', { hint })
}

const checkTarget = async (target: RestoreTarget, { confirmReplace }: RestoreOptions) => {
  if (await target.isInUse())
    refuse('A server is connected to this database. Stop every node, then try again.')
  if (!(await target.isEmpty()))
    await confirmReplace('The database has users already, and everything in it will be lost.')
}

const refuseUnknown = (names: readonly string[]) => {
  if (names.length > 0)
    refuse(
      `The backup was made by a later release: this one has no migration ${names.at(-1)}. Install that release, then try again.`,
    )
}

const withEngine = async (
  { dataDir }: Pick<RestoreTarget, 'dataDir'>,
  { databaseUrl, log }: RestoreOptions,
  work: (engine: Engine, db: Database) => Promise<void>,
) => {
  const engine = await openEngine({ databaseUrl, dataDir, log })
  const db: Database = new Kysely<Tables>({ dialect: engine.dialect })
  try {
    await work(engine, db)
  } finally {
    await db.destroy()
    await engine.close()
  }
}

/** The journal and the epoch name calls and a node that the restored database does not know. */
const moveFiles = (dataDir: string, name: string): string[] =>
  [`journal-${name}.jsonl`, `epoch-${name}`]
    .map(each => join(dataDir, each))
    .filter(existsSync)
    .map(path => {
      const moved = `${path}.before-restore-${Date.now()}`
      renameSync(path, moved)
      return moved
    })
