import { Fault } from '@hub/contract'
import { Kysely } from 'kysely'
import { type Migration, type MigrationResultSet, Migrator } from 'kysely/migration'
import type { Engine } from './engines/engine.ts'
import type { SchemaKit } from './engines/schema-kit.ts'
import type { Database } from './index.ts'
import { migrations } from './migrations/index.ts'
import * as executed from './queries/executed-migrations.ts'
import type { Tables } from './tables/index.ts'

/**
 * Brings the schema up to this release, or to the migration `last`, which tests use to make an older database. Nodes
 * that start together run the migrations one after another. Migrations of a later release are left as they are, unless
 * it declared that this release cannot read them.
 */
export const migrate = async (
  db: Database,
  { schema, migrationDialect }: Pick<Engine, 'schema' | 'migrationDialect'>,
  last?: string,
): Promise<void> => {
  const known = migrations(schema)
  const others = await readOthers(db, Object.keys(known))
  const list = { ...known, ...others }
  if (!migrationDialect) return run(db, list, last)
  const migrating: Database = new Kysely<Tables>({ dialect: migrationDialect })
  await run(migrating, list, last).finally(() => migrating.destroy())
}

/**
 * Runs the migrations that the database lacks. Nodes of the release before serve meanwhile, so each has a transaction of
 * its own: the locks of one would otherwise be held until the end of the last.
 */
export const runMigrations = async (
  db: Database,
  list: Record<string, Migration>,
): Promise<void> => {
  const migrator = makeMigrator(db, list)
  for (;;) {
    const result = await migrator.migrateUp()
    if (result.error) throw failedMigration(result)
    if (!result.results?.length) return
  }
}

/** Gives an empty database the schema that another one had after exactly these migrations. */
export const migrateAs = async (
  db: Database,
  schema: SchemaKit,
  names: readonly string[],
): Promise<void> => {
  const known = Object.entries(migrations(schema))
  await run(db, Object.fromEntries(known.filter(([name]) => names.includes(name))))
}

/** The names that this release does not know, in their order. */
export const unknownMigrations = (schema: SchemaKit, names: readonly string[]): string[] => {
  const known = migrations(schema)
  return names.filter(name => known[name] === undefined).sort()
}

/** A new database gets the whole schema in one transaction. */
const run = async (db: Database, list: Record<string, Migration>, last?: string): Promise<void> => {
  if (last === undefined && (await executed.listNames(db)).length > 0)
    return runMigrations(db, list)
  const migrator = makeMigrator(db, list)
  const result = await (last ? migrator.migrateTo(last) : migrator.migrateToLatest())
  if (result.error) throw failedMigration(result)
}

const makeMigrator = (db: Database, list: Record<string, Migration>): Migrator => {
  const provider = { getMigrations: async () => list }
  // A release may contain a migration with a lower number than one that an earlier release ran.
  return new Migrator({ db, provider, allowUnorderedMigrations: true })
}

const failedMigration = ({ error, results }: MigrationResultSet): Fault => {
  const failed = results?.find(each => each.status === 'Error')?.migrationName
  return new Fault('env.invalid', {
    hint: `The migration ${failed ?? 'list'} of the database failed: ${reasonOf(error)}`,
    cause: error,
  })
}

const reasonOf = (error: unknown): string => {
  if (error instanceof Fault) return error.detail ?? error.message
  return error instanceof Error ? error.message : String(error)
}

/** Tables of this program that other programs have, too: a database without a list of migrations is theirs. */
const commonTables = ['users', 'channels', 'tokens', 'options', 'logs', 'orders']

const refuseForeign = async (
  db: Database,
  executedNames: readonly string[],
  known: readonly string[],
) => {
  if (executedNames.some(name => known.includes(name))) return
  const tables = (await db.introspection.getTables({ withInternalKyselyTables: true })).map(
    each => each.name,
  )
  const isStarted = tables.includes('kysely_migration') && executedNames.length === 0
  const found = tables.find(name => commonTables.includes(name)) ?? executedNames[0]
  if (isStarted || found === undefined) return
  throw new Fault('env.invalid', {
    hint: `DATABASE_URL (or hub.db in DATA_DIR) is the database of another program: it has "${found}", and no migration of this one. Choose an empty one; npm run import carries data of other gateways over.`,
  })
}

/**
 * The migrations that a later release ran, whatever their numbers. They are compatible unless it says otherwise; see
 * `migrations/index.ts`.
 */
const readOthers = async (db: Database, known: readonly string[]) => {
  const names = await executed.listNames(db)
  await refuseForeign(db, names, known)
  const others = names.filter(name => !known.includes(name))
  if (others.length === 0) return {}
  const newest = [...known].sort().at(-1) ?? ''
  const oldestCompatible = await executed.findOldestCompatible(db)
  if (oldestCompatible !== undefined && !known.includes(oldestCompatible))
    throw new Fault('env.invalid', {
      hint:
        `The database needs a release with migration ${oldestCompatible} or later; this one ends with ${newest}. ` +
        'Start the later release, or restore a backup from before the upgrade.',
    })
  const nothing = { up: async () => {} }
  return Object.fromEntries(others.map(name => [name, nothing]))
}
