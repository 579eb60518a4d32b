import type { Database } from '../index.ts'
import type { UpstreamGroupsTable, UpstreamRatiosTable } from '../tables/channels.ts'

export const findGroups = (db: Database, channelId: number) =>
  db
    .selectFrom('upstream_groups')
    .selectAll()
    .where('channel_id', '=', channelId)
    .executeTakeFirst()

/** Replaces the groups of a channel's upstream. */
export const storeGroups = async (
  db: Database,
  { channel_id, ...groups }: UpstreamGroupsTable,
): Promise<void> => {
  await db
    .insertInto('upstream_groups')
    .values({ channel_id, ...groups })
    .onConflict(conflict => conflict.column('channel_id').doUpdateSet(groups))
    .execute()
}

/** Records an attempt that read no groups. */
export const storeAttempt = async (
  db: Database,
  channel_id: number,
  checked_at: number,
): Promise<void> => {
  await db
    .insertInto('upstream_groups')
    .values({ channel_id, checked_at, read_at: 0, groups: '[]', prices: null })
    .onConflict(conflict => conflict.column('channel_id').doUpdateSet({ checked_at }))
    .execute()
}

/** Forgets what was read, because the channel has another upstream now. */
export const forgetGroups = async (db: Database, channelId: number): Promise<void> => {
  await db.deleteFrom('upstream_groups').where('channel_id', '=', channelId).execute()
}

/** The changes of a channel's multiplier, newest first. */
export const listChanges = (db: Database, channelId: number, max: number) =>
  db
    .selectFrom('upstream_ratios')
    .selectAll()
    .where('channel_id', '=', channelId)
    .orderBy('valid_from', 'desc')
    .limit(max)
    .execute()

/** Adds a change. A second one within the same second replaces the first. */
export const append = async (
  db: Database,
  { channel_id, valid_from, ...change }: UpstreamRatiosTable,
): Promise<void> => {
  await db
    .insertInto('upstream_ratios')
    .values({ channel_id, valid_from, ...change })
    .onConflict(conflict => conflict.columns(['channel_id', 'valid_from']).doUpdateSet(change))
    .execute()
}

export const confirm = async (db: Database, channelId: number): Promise<void> => {
  await db
    .updateTable('upstream_ratios')
    .set({ is_confirmed: 1 })
    .where('channel_id', '=', channelId)
    .where('is_confirmed', '=', 0)
    .execute()
}

/** Channels whose multiplier has a change that nobody has confirmed. */
export const listUnconfirmed = async (db: Database): Promise<number[]> => {
  const rows = await db
    .selectFrom('upstream_ratios')
    .select('channel_id')
    .distinct()
    .where('is_confirmed', '=', 0)
    .execute()
  return rows.map(each => each.channel_id)
}
