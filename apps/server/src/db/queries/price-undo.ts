import type { Database } from '../index.ts'
import type { PriceUndoTable } from '../tables/trade.ts'

export const find = (db: Database) => db.selectFrom('price_undo').selectAll().executeTakeFirst()

/** In place of the one before: only the last change can be taken back. */
export const remember = async (db: Database, change: Omit<PriceUndoTable, 'id'>): Promise<void> => {
  const row = { id: 1 as const, ...change }
  await db
    .insertInto('price_undo')
    .values(row)
    .onConflict(conflict => conflict.column('id').doUpdateSet(row))
    .execute()
}

/** Gives it once: of two who take it back at the same moment, one gets nothing. */
export const take = (db: Database) => db.deleteFrom('price_undo').returningAll().executeTakeFirst()
