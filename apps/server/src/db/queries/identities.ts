import type { Database } from '../index.ts'

export const find = (db: Database, signIn: string, subject: string) =>
  db
    .selectFrom('identities')
    .selectAll()
    .where('sign_in', '=', signIn)
    .where('subject', '=', subject)
    .executeTakeFirst()

export const listOfUser = (db: Database, userId: number) =>
  db.selectFrom('identities').selectAll().where('user_id', '=', userId).execute()

/** False: somebody has this identity already, or the user has another one of the same provider. */
export const insertIfFree = async (
  db: Database,
  row: { user_id: number; sign_in: string; subject: string; label: string },
): Promise<boolean> => {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('identities')
    .values(row)
    .onConflict(conflict => conflict.doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

/** False: the user has none of this provider. */
export const remove = async (db: Database, userId: number, signIn: string): Promise<boolean> => {
  const { numDeletedRows } = await db
    .deleteFrom('identities')
    .where('user_id', '=', userId)
    .where('sign_in', '=', signIn)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** Removes the identities of every user at a provider. */
export const removeAll = async (db: Database, signIn: string): Promise<void> => {
  await db.deleteFrom('identities').where('sign_in', '=', signIn).execute()
}
