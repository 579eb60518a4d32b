import type { Database } from '../index.ts'
import type { PriceUndoTable } from '../tables/prices.ts'

export const find = (db: Database) => db.selectFrom('price_undo').selectAll().executeTakeFirst()

/** Replaces the undo record: only the last change can be undone. */
export const remember = async (db: Database, change: Omit<PriceUndoTable, 'id'>): Promise<void> => {
  const row = { id: 1 as const, ...change }
  await db
    .insertInto('price_undo')
    .values(row)
    .onConflict(conflict => conflict.column('id').doUpdateSet(row))
    .execute()
}

/** Removes and returns the undo record. Of two concurrent callers one receives nothing. */
export const take = (db: Database) => db.deleteFrom('price_undo').returningAll().executeTakeFirst()
