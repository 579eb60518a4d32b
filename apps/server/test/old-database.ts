import { Kysely } from 'kysely'
import { openPostgres } from '../src/db/engines/postgres/index.ts'
import { openSqlite } from '../src/db/engines/sqlite/index.ts'
import { migrate } from '../src/db/migrate.ts'
import type { StoreOptions } from '../src/db/open.ts'
import type { Tables } from '../src/db/tables/index.ts'
import { silentLog } from './silent-log.ts'

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
