import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Kysely } from 'kysely'
import { openPostgres } from '../src/db/engines/postgres/index.ts'
import { openSqlite } from '../src/db/engines/sqlite/index.ts'
import { migrate } from '../src/db/migrate.ts'
import { openEngine, type StoreOptions } from '../src/db/open.ts'
import type { Tables } from '../src/db/tables/index.ts'
import { silentLog } from './silent-log.ts'

const folderVariable = 'HUB_TEST_MIGRATED'
/** The file of a gateway on SQLite in its data folder. */
const file = 'hub.db'

/** Gives an empty database the schema of this release. `dataDir` is used on SQLite only. */
export const migrateEmpty = async (databaseUrl: string | undefined, dataDir: string) => {
  const engine = await openEngine({ databaseUrl, dataDir, log: silentLog })
  const db = new Kysely<Tables>({ dialect: engine.dialect })
  await migrate(db, engine)
  await db.destroy()
  await engine.close()
}

/** Makes the file that `copyMigrated` copies, once for a run: to migrate takes longer than most tests. */
export const makeMigratedFile = async (): Promise<() => void> => {
  const folder = mkdtempSync(join(tmpdir(), 'hub-migrated-'))
  await migrateEmpty(undefined, folder)
  process.env[folderVariable] = folder
  return () => rmSync(folder, { recursive: true, force: true })
}

/** Puts a migrated database into an empty data folder; without a file of the run, the app migrates by itself. */
export const copyMigrated = (dataDir: string): void => {
  const folder = process.env[folderVariable]
  if (folder) copyFileSync(join(folder, file), join(dataDir, file))
}

type Location = Pick<StoreOptions, 'databaseUrl' | 'dataDir'>

/** Makes a database of an earlier release, by the name of its last migration, with rows of that time. */
export const makeOldDatabase = async (
  { databaseUrl, dataDir }: Location,
  release: string,
  fill: (db: Kysely<Tables>) => Promise<void>,
) => {
  const options = { log: silentLog, readOnly: false }
  const engine = databaseUrl
    ? await openPostgres({ ...options, databaseUrl })
    : await openSqlite({ ...options, dataDir, onThreadExit: () => {} })
  const db = new Kysely<Tables>({ dialect: engine.dialect })
  await migrate(db, engine, release)
  await fill(db)
  await db.destroy()
  await engine.close()
}
