import type { Database } from '../index.ts'
import type { OwnersTable, PricesTable } from '../tables/trade.ts'
import { slices } from './slices.ts'

export const allPrices = (db: Database) => db.selectFrom('prices').selectAll().execute()

export const groupRatios = (db: Database) =>
  db.selectFrom('user_groups').select(['symbol', 'ratio']).execute()

export const hasPrices = async (db: Database): Promise<boolean> =>
  (await db.selectFrom('prices').select('model').limit(1).executeTakeFirst()) !== undefined

/** The id of each body, by hash; those that are not known yet are written. Safe on several nodes at once. */
export const versionIds = async (
  db: Database,
  bodies: ReadonlyMap<string, string>,
  at: number,
): Promise<Map<string, number>> => {
  const ids = await knownVersions(db, [...bodies.keys()])
  const missing = [...bodies].filter(([hash]) => !ids.has(hash))
  for (const some of slices(missing))
    await db
      .insertInto('price_versions')
      .values(some.map(([hash, body]) => ({ hash, body, created_at: at })))
      .onConflict(conflict => conflict.column('hash').doNothing())
      .execute()
  const written = await knownVersions(
    db,
    missing.map(([hash]) => hash),
  )
  return new Map([...ids, ...written])
}

const knownVersions = async (db: Database, hashes: string[]): Promise<Map<string, number>> => {
  const ids = new Map<string, number>()
  for (const some of slices(hashes)) {
    const rows = await db
      .selectFrom('price_versions')
      .select(['id', 'hash'])
      .where('hash', 'in', some)
      .execute()
    for (const { id, hash } of rows) ids.set(hash, id)
  }
  return ids
}

/** Adds prices; a model that has one keeps it. */
export const addPrices = async (db: Database, rows: PricesTable[]): Promise<void> => {
  for (const some of slices(rows))
    await db
      .insertInto('prices')
      .values(some)
      .onConflict(conflict => conflict.column('model').doNothing())
      .execute()
}

/** Adds owners; one that exists keeps its name and icon. */
export const addOwners = async (db: Database, rows: OwnersTable[]): Promise<void> => {
  await db
    .insertInto('owners')
    .values(rows)
    .onConflict(conflict => conflict.column('id').doNothing())
    .execute()
}
