import type { Database } from '../index.ts'
import type { OwnersTable, PricesTable } from '../tables/prices.ts'
import { chunks } from './chunks.ts'

export const listPrices = (db: Database) => db.selectFrom('prices').selectAll().execute()

export const listGroupRatios = (db: Database) =>
  db.selectFrom('user_groups').select(['symbol', 'ratio']).execute()

export const hasPrices = async (db: Database): Promise<boolean> =>
  (await db.selectFrom('prices').select('model').limit(1).executeTakeFirst()) !== undefined

/** Returns the id of each body by hash, and inserts missing bodies. Safe on several nodes at once. */
export const findOrCreateVersions = async (
  db: Database,
  bodies: ReadonlyMap<string, string>,
  at: number,
): Promise<Map<string, number>> => {
  const ids = await findVersions(db, [...bodies.keys()])
  const missing = [...bodies].filter(([hash]) => !ids.has(hash))
  for (const some of chunks(missing))
    await db
      .insertInto('price_versions')
      .values(some.map(([hash, body]) => ({ hash, body, created_at: at })))
      .onConflict(conflict => conflict.column('hash').doNothing())
      .execute()
  const written = await findVersions(
    db,
    missing.map(([hash]) => hash),
  )
  return new Map([...ids, ...written])
}

const findVersions = async (db: Database, hashes: string[]): Promise<Map<string, number>> => {
  const ids = new Map<string, number>()
  for (const some of chunks(hashes)) {
    const rows = await db
      .selectFrom('price_versions')
      .select(['id', 'hash'])
      .where('hash', 'in', some)
      .execute()
    for (const { id, hash } of rows) ids.set(hash, id)
  }
  return ids
}

/** Adds prices; existing prices stay unchanged. */
export const addPrices = async (db: Database, rows: PricesTable[]): Promise<void> => {
  for (const some of chunks(rows))
    await db
      .insertInto('prices')
      .values(some)
      .onConflict(conflict => conflict.column('model').doNothing())
      .execute()
}

/** Adds owners; existing owners stay unchanged. */
export const addOwners = async (db: Database, rows: OwnersTable[]): Promise<void> => {
  await db
    .insertInto('owners')
    .values(rows)
    .onConflict(conflict => conflict.column('id').doNothing())
    .execute()
}
