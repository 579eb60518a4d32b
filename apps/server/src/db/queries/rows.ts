import { type Insertable, sql } from 'kysely'
import type { Database } from '../index.ts'
import type { Tables } from '../tables/index.ts'

/** Runs an update and returns true when it changed exactly one row. */
export const changedOne = async (update: {
  executeTakeFirst(): Promise<{ numUpdatedRows: bigint }>
}): Promise<boolean> => (await update.executeTakeFirst()).numUpdatedRows === 1n

type SealedTable = 'redemptions' | 'tokens'

/** Inserts a row and then its `key_sealed`, which is sealed with the id of the row. Returns the id. */
export const insertSealed = async <T extends SealedTable>(
  db: Database,
  table: T,
  row: Omit<Insertable<Tables[T]>, 'key_sealed'>,
  seal: (id: number) => string,
): Promise<number> => {
  const { id } = await db
    .insertInto(table as 'tokens')
    .values({ ...(row as Insertable<Tables['tokens']>), key_sealed: '' })
    .returning('id')
    .executeTakeFirstOrThrow()
  await db
    .updateTable(table as 'tokens')
    .set({ key_sealed: seal(id) })
    .where('id', '=', id)
    .execute()
  return id
}

/** Maps the names of columns to references into their table, for the sort order of `selectPage`. */
export const columnRefs = (table: string, ...names: string[]) => ({
  ...Object.fromEntries(names.map(name => [name, sql.ref(`${table}.${name}`)])),
  id: sql.ref(`${table}.id`),
})
