import type { Insertable, Selectable, Updateable } from 'kysely'
import type { Database } from '../index.ts'
import type { ModelInfoTable } from '../tables/model-info.ts'

export type ModelInfoRow = Selectable<ModelInfoTable>

/** The newest first. */
export const listAll = (db: Database): Promise<ModelInfoRow[]> =>
  db.selectFrom('model_info').selectAll().orderBy('id', 'desc').execute()

/** The longest context and answer of each model; 0 for unknown. */
export const listSizes = (
  db: Database,
): Promise<Pick<ModelInfoRow, 'model' | 'context_length' | 'max_tokens'>[]> =>
  db.selectFrom('model_info').select(['model', 'context_length', 'max_tokens']).execute()

export const find = (db: Database, id: number) =>
  db.selectFrom('model_info').selectAll().where('id', '=', id).executeTakeFirst()

export const findByModel = (db: Database, model: string) =>
  db.selectFrom('model_info').selectAll().where('model', '=', model).executeTakeFirst()

/** Undefined: the model has a row. */
export const insert = (
  db: Database,
  row: Insertable<ModelInfoTable>,
): Promise<ModelInfoRow | undefined> =>
  db
    .insertInto('model_info')
    .values(row)
    .onConflict(conflict => conflict.column('model').doNothing())
    .returningAll()
    .executeTakeFirst()

/** Undefined: the row is gone. */
export const update = (
  db: Database,
  id: number,
  change: Updateable<ModelInfoTable>,
): Promise<ModelInfoRow | undefined> =>
  db.updateTable('model_info').set(change).where('id', '=', id).returningAll().executeTakeFirst()

/** False: it is gone already. */
export const remove = async (db: Database, id: number): Promise<boolean> => {
  const { numDeletedRows } = await db
    .deleteFrom('model_info')
    .where('id', '=', id)
    .executeTakeFirst()
  return numDeletedRows === 1n
}
