import type { Database } from '../index.ts'

export const listAll = (db: Database) => db.selectFrom('options').selectAll().execute()

export const find = async (db: Database, key: string): Promise<string | undefined> => {
  const row = await db
    .selectFrom('options')
    .select('value')
    .where('key', '=', key)
    .executeTakeFirst()
  return row?.value
}

export const write = async (db: Database, key: string, value: string): Promise<void> => {
  await db
    .insertInto('options')
    .values({ key, value })
    .onConflict(conflict => conflict.column('key').doUpdateSet({ value }))
    .execute()
}

/** Writes the value unless the key has one. */
export const writeFirst = async (db: Database, key: string, value: string): Promise<void> => {
  await db
    .insertInto('options')
    .values({ key, value })
    .onConflict(conflict => conflict.column('key').doNothing())
    .execute()
}

export const remove = async (db: Database, key: string): Promise<void> => {
  await db.deleteFrom('options').where('key', '=', key).execute()
}
