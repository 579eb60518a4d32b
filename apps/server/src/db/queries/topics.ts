import type { Database } from '../index.ts'

/** Call it inside the transaction that makes the change: both become visible together, or neither. */
export const increment = async (db: Database, topic: string): Promise<void> => {
  await db
    .insertInto('topics')
    .values({ topic, n: 1 })
    .onConflict(oc => oc.column('topic').doUpdateSet(eb => ({ n: eb('topics.n', '+', 1) })))
    .execute()
}

export const listAll = (db: Database) => db.selectFrom('topics').selectAll().execute()
