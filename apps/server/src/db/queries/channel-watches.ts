import type { Database } from '../index.ts'
import type { ChannelWatchesTable } from '../tables/channels.ts'

export const find = (db: Database, channelId: number) =>
  db
    .selectFrom('channel_watches')
    .selectAll()
    .where('channel_id', '=', channelId)
    .executeTakeFirst()

/** Replaces the row of a channel. */
export const store = async (
  db: Database,
  { channel_id, ...watch }: ChannelWatchesTable,
): Promise<void> => {
  await db
    .insertInto('channel_watches')
    .values({ channel_id, ...watch })
    .onConflict(conflict => conflict.column('channel_id').doUpdateSet(watch))
    .execute()
}

/** Records an attempt that read no list. */
export const storeAttempt = async (
  db: Database,
  channel_id: number,
  checked_at: number,
): Promise<void> => {
  const never = { read_at: 0, offered: '[]', equal_reads: 0, notified: '[]' }
  await db
    .insertInto('channel_watches')
    .values({ channel_id, checked_at, ...never })
    .onConflict(conflict => conflict.column('channel_id').doUpdateSet({ checked_at }))
    .execute()
}

export const storeNotified = async (
  db: Database,
  channelId: number,
  notified: string,
): Promise<void> => {
  await db
    .updateTable('channel_watches')
    .set({ notified })
    .where('channel_id', '=', channelId)
    .execute()
}

/** The last lists, with the fields of the enabled channels that they are compared with. */
export const listRead = (db: Database) =>
  db
    .selectFrom('channel_watches')
    .innerJoin('channels', 'channels.id', 'channel_watches.channel_id')
    .select(['channels.id', 'models', 'model_mapping', 'plugin', 'offered', 'equal_reads'])
    .select('channels.group')
    .where('read_at', '>', 0)
    .where('status', '=', 1)
    .where('deleted_at', 'is', null)
    .execute()

/** Enabled channels with the time of the last attempt, the longest ago first; null: there was none. */
export const listChecked = (db: Database) =>
  db
    .selectFrom('channels')
    .leftJoin('channel_watches', 'channel_watches.channel_id', 'channels.id')
    .leftJoin('upstream_groups', 'upstream_groups.channel_id', 'channels.id')
    .select(['channels.id', 'channels.type', 'channels.plugin'])
    .select(['channel_watches.checked_at as list_at', 'upstream_groups.checked_at as ratio_at'])
    .where('status', '=', 1)
    .where('deleted_at', 'is', null)
    .orderBy('channels.id')
    .execute()
