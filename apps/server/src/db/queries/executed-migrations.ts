import { sql } from 'kysely'
import type { Database } from '../index.ts'
import * as options from './options.ts'

/** The option in which a migration that older releases cannot read records its own name. */
const oldestCompatible = 'OldestCompatibleMigration'

/** The names of all executed migrations; empty for a new database. */
export const listNames = async (db: Database): Promise<string[]> => {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true })
  if (!tables.some(each => each.name === 'kysely_migration')) return []
  const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(db)
  return rows.map(each => each.name)
}

export const findOldestCompatible = (db: Database): Promise<string | undefined> =>
  options.find(db, oldestCompatible)
