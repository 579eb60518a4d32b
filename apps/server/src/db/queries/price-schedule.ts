import type { Database } from '../index.ts'
import type { PriceScheduleTable, PricesTable } from '../tables/prices.ts'

export const listScheduled = (db: Database) =>
  db.selectFrom('price_schedule').selectAll().orderBy('at').orderBy('model').execute()

/** Time of the next scheduled price in Unix seconds; undefined without one. */
export const findNextDue = async (db: Database): Promise<number | undefined> => {
  const row = await db
    .selectFrom('price_schedule')
    .select('at')
    .orderBy('at')
    .limit(1)
    .executeTakeFirst()
  return row?.at
}

/** Schedules prices, and replaces those of the same model and time. */
export const schedule = async (db: Database, rows: PriceScheduleTable[]): Promise<void> => {
  for (const row of rows)
    await db
      .insertInto('price_schedule')
      .values(row)
      .onConflict(conflict => conflict.columns(['model', 'at']).doUpdateSet(row))
      .execute()
}

/** False if no such price is scheduled. */
export const unschedule = async (db: Database, model: string, at: number): Promise<boolean> => {
  const { numDeletedRows } = await db
    .deleteFrom('price_schedule')
    .where('model', '=', model)
    .where('at', '=', at)
    .executeTakeFirst()
  return numDeletedRows === 1n
}

/** Removes and returns the due prices in order. A row goes to one node only. */
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
