import type { Updateable } from 'kysely'
import type { Database } from '../index.ts'
import type { ChannelsTable } from '../tables/channels.ts'
import { changedHere } from './channel-versions.ts'
import { notDeleted, removedSecrets } from './channels.ts'

export const listTags = (db: Database) =>
  db
    .selectFrom('channels')
    .select(({ fn, eb }) => [
      'tag',
      fn.countAll<number>().as('channels'),
      fn.sum<number>(eb.case().when('status', '=', 1).then(1).else(0).end()).as('enabled'),
    ])
    .where('tag', '<>', '')
    .where('deleted_at', 'is', null)
    .groupBy('tag')
    .orderBy('tag')
    .execute()

export const listChannels = (db: Database, tag: string) =>
  notDeleted(db).where('tag', '=', tag).orderBy('channels.id').execute()

export const update = async (
  db: Database,
  tag: string,
  change: Updateable<ChannelsTable>,
): Promise<number> => {
  const { numUpdatedRows } = await tagged(db, tag)
    .set({ ...change, ...changedHere })
    .executeTakeFirst()
  return Number(numUpdatedRows)
}

/** Soft-deletes the channels of a tag. */
export const remove = async (db: Database, tag: string, now: number): Promise<number> => {
  const { numUpdatedRows } = await tagged(db, tag)
    .set({ deleted_at: now, ...removedSecrets, ...changedHere })
    .executeTakeFirst()
  return Number(numUpdatedRows)
}

export const removeDisabled = async (db: Database, tag: string, now: number): Promise<number> => {
  const { numUpdatedRows } = await tagged(db, tag)
    .set({ deleted_at: now, ...removedSecrets, ...changedHere })
    .where('status', 'in', [2, 3])
    .executeTakeFirst()
  return Number(numUpdatedRows)
}

const tagged = (db: Database, tag: string) =>
  db.updateTable('channels').where('tag', '=', tag).where('deleted_at', 'is', null)
