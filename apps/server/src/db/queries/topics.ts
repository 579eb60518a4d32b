import type { Database } from '../index.ts'

/**
 * Returns the new version. Call it inside the transaction that makes the change: both become visible together, or
 * neither. The row lock lets versions of a topic be committed in their order.
 */
export const increment = async (db: Database, topic: string): Promise<number> => {
  const { n } = await db
    .insertInto('topics')
    .values({ topic, n: 1 })
    .onConflict(oc => oc.column('topic').doUpdateSet(eb => ({ n: eb('topics.n', '+', 1) })))
    .returning('n')
    .executeTakeFirstOrThrow()
  return n
}

/** The current version of a topic; 0 before its first change. */
export const findVersion = async (db: Database, topic: string): Promise<number> =>
  (await db.selectFrom('topics').select('n').where('topic', '=', topic).executeTakeFirst())?.n ?? 0

export const listAll = (db: Database) => db.selectFrom('topics').selectAll().execute()
