import type { Insertable, Selectable } from 'kysely'
import type { Database } from '../index.ts'
import type { ChannelChangesTable } from '../tables/channels.ts'
import { chunks } from './chunks.ts'

export type ChannelChangeRow = Selectable<ChannelChangesTable>
type NewRow = Omit<Insertable<ChannelChangesTable>, 'id'>

export const append = async (db: Database, changes: readonly NewRow[]): Promise<void> => {
  for (const part of chunks(changes)) await db.insertInto('channel_changes').values(part).execute()
}

/** The newest changes first. */
export const list = (db: Database, channelId: number, limit: number): Promise<ChannelChangeRow[]> =>
  db
    .selectFrom('channel_changes')
    .selectAll()
    .where('channel_id', '=', channelId)
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()

export const removeBefore = async (db: Database, at: number): Promise<number> => {
  const { numDeletedRows } = await db
    .deleteFrom('channel_changes')
    .where('at', '<', at)
    .executeTakeFirst()
  return Number(numDeletedRows)
}
