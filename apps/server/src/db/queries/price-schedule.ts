import type { Database } from '../index.ts'
import type { PriceScheduleTable, PricesTable } from '../tables/trade.ts'

export const scheduled = (db: Database) =>
  db.selectFrom('price_schedule').selectAll().orderBy('at').orderBy('model').execute()

/** The moment of the next one, in seconds; undefined where nothing waits. */
export const nextDue = async (db: Database): Promise<number | undefined> => {
  const row = await db
    .selectFrom('price_schedule')
    .select('at')
    .orderBy('at')
    .limit(1)
    .executeTakeFirst()
  return row?.at
}

/** A price that waits for the same model and the same moment is replaced. */
export const schedule = async (db: Database, rows: PriceScheduleTable[]): Promise<void> => {
  for (const row of rows)
    await db
      .insertInto('price_schedule')
      .values(row)
      .onConflict(conflict => conflict.columns(['model', 'at']).doUpdateSet(row))
      .execute()
}

/** False where it does not wait, or waits no more. */
export const unschedule = async (db: Database, model: string, at: number): Promise<boolean> => {
  const { numDeletedRows } = await db
    .deleteFrom('price_schedule')
    .where('model', '=', model)
    .where('at', '=', at)
    .executeTakeFirst()
  return numDeletedRows === 1n
}

/** What is due, in order. Whoever takes a row has it: of two nodes at the same moment, one gets nothing. */
export const takeDue = async (db: Database, seconds: number): Promise<PricesTable[]> => {
  const rows = await db
    .deleteFrom('price_schedule')
    .where('at', '<=', seconds)
    .returningAll()
    .execute()
  return rows
    .sort((a, b) => a.at - b.at || (a.model < b.model ? -1 : 1))
    .map(row => JSON.parse(row.price) as PricesTable)
}
