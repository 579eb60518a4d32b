import { Fault } from '@hub/contract'
import { Migrator } from 'kysely/migration'
import type { SchemaKit } from './engines/schema-kit.ts'
import type { Database } from './index.ts'
import { migrations } from './migrations/index.ts'

/** Brings the schema up to this release. Nodes that start together take turns. */
export const migrate = async (db: Database, schema: SchemaKit): Promise<void> => {
  const provider = { getMigrations: async () => migrations(schema) }
  const { error, results } = await new Migrator({ db, provider }).migrateToLatest()
  if (!error) return
  const failed = results?.find(each => each.status === 'Error')?.migrationName
  throw new Fault('server.failed', { detail: `migration ${failed ?? 'list'} failed`, cause: error })
}
