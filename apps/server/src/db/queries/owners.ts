import type { Owner } from '@hub/contract'
import type { Database } from '../index.ts'
import { changedOne } from './rows.ts'

export const listAll = (db: Database) => db.selectFrom('owners').selectAll().orderBy('id').execute()

export const find = (db: Database, id: number) =>
  db.selectFrom('owners').selectAll().where('id', '=', id).executeTakeFirst()

/** False if the id exists. */
export const insert = async (db: Database, owner: Owner): Promise<boolean> => {
  const row = await db
    .insertInto('owners')
    .values(owner)
    .onConflict(conflict => conflict.column('id').doNothing())
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

export const update = (db: Database, { id, name, icon }: Owner) =>
  changedOne(db.updateTable('owners').set({ name, icon }).where('id', '=', id))

export const remove = async (db: Database, id: number): Promise<boolean> => {
  const { numDeletedRows } = await db.deleteFrom('owners').where('id', '=', id).executeTakeFirst()
  return numDeletedRows === 1n
}
