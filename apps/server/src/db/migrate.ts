import { Fault } from '@hub/contract'
import { Migrator } from 'kysely/migration'
import type { SchemaKit } from './engines/schema-kit.ts'
import type { Database } from './index.ts'
import { migrations } from './migrations/index.ts'

/**
 * Brings the schema up to this release, or to the migration `last`, which tests use to make an older database. Nodes
 * that start together run the migrations one after another.
 */
export const migrate = async (db: Database, schema: SchemaKit, last?: string): Promise<void> => {
  const provider = { getMigrations: async () => migrations(schema) }
  const migrator = new Migrator({ db, provider })
  const { error, results } = await (last ? migrator.migrateTo(last) : migrator.migrateToLatest())
  if (!error) return
  const failed = results?.find(each => each.status === 'Error')?.migrationName
  throw new Fault('server.failed', { detail: `migration ${failed ?? 'list'} failed`, cause: error })
}
