import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import type { Database } from '../index.ts'
import type { VirtualModelsTable, VirtualModelVersionsTable } from '../tables/virtual-models.ts'
import { type Paging, selectPage } from './paging.ts'
import { columnRefs } from './rows.ts'
import { commaListIncludes, contains } from './text.ts'

export type VirtualModelRow = Selectable<VirtualModelsTable>
export type VersionRow = Selectable<VirtualModelVersionsTable>

export const find = (db: Database, id: number) =>
  db.selectFrom('virtual_models').selectAll().where('id', '=', id).executeTakeFirst()

export const list = (db: Database, filter: Paging & { keyword?: string | undefined }) => {
  const { keyword } = filter
  const query = db
    .selectFrom('virtual_models')
    .selectAll()
    .$if(!!keyword, rows =>
      rows.where(where => where.or([contains('name', keyword!), contains('candidates', keyword!)])),
    )
  const sortable = columnRefs('virtual_models', 'name', 'enable', 'version', 'updated_at')
  return selectPage(db, query, filter, sortable)
}

export const listEnabled = (db: Database) =>
  db.selectFrom('virtual_models').selectAll().where('enable', '=', 1).orderBy('id').execute()

export const listNames = async (db: Database): Promise<string[]> =>
  (await db.selectFrom('virtual_models').select('name').execute()).map(({ name }) => name)

/** Returns the id, or undefined if the name exists. */
export const insert = async (db: Database, row: Insertable<VirtualModelsTable>) => {
  const inserted = await db
    .insertInto('virtual_models')
    .values(row)
    .onConflict(conflict => conflict.column('name').doNothing())
    .returning('id')
    .executeTakeFirst()
  return inserted?.id
}

/** Counts the version up and returns it; undefined: the row is gone. */
export const update = async (
  db: Database,
  id: number,
  change: Updateable<VirtualModelsTable>,
): Promise<number | undefined> => {
  const row = await db
    .updateTable('virtual_models')
    .set({ ...change, version: sql<number>`version + 1` })
    .where('id', '=', id)
    .returning('version')
    .executeTakeFirst()
  return row?.version
}

/** False: it is gone already. */
export const remove = async (db: Database, id: number): Promise<boolean> => {
  const { numDeletedRows } = await db
    .deleteFrom('virtual_models')
    .where('id', '=', id)
    .executeTakeFirst()
  return numDeletedRows === 1n
}

export const appendVersion = async (
  db: Database,
  row: Insertable<VirtualModelVersionsTable>,
): Promise<void> => {
  await db.insertInto('virtual_model_versions').values(row).execute()
}

export const findVersion = (db: Database, id: number, version: number) =>
  db
    .selectFrom('virtual_model_versions')
    .selectAll()
    .where('model_id', '=', id)
    .where('version', '=', version)
    .executeTakeFirst()

/** The newest first. */
export const listVersions = (db: Database, id: number, limit: number) =>
  db
    .selectFrom('virtual_model_versions')
    .selectAll()
    .where('model_id', '=', id)
    .orderBy('version', 'desc')
    .limit(limit)
    .execute()

/** A channel lists a model of exactly this name, enabled or not. */
export const isChannelModel = async (db: Database, name: string): Promise<boolean> => {
  const row = await db
    .selectFrom('channels')
    .select(sql`1`.as('one'))
    .where(commaListIncludes('models', name))
    .where('deleted_at', 'is', null)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}
