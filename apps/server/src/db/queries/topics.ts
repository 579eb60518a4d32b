import type { Database } from '../index.ts'

/** Inside the transaction that changes something of the topic: seen together with the change, or not at all. */
export const bump = async (db: Database, topic: string): Promise<void> => {
  await db
    .insertInto('topics')
    .values({ topic, n: 1 })
    .onConflict(oc => oc.column('topic').doUpdateSet(eb => ({ n: eb('topics.n', '+', 1) })))
    .execute()
}

export const listAll = (db: Database) => db.selectFrom('topics').selectAll().execute()
