import { sql } from 'kysely'
import type { Database } from '../index.ts'
import { chunks } from './chunks.ts'

/** Counts the disabled keys of a channel. */
export const disabledCount = (channelId: string) =>
  sql<number>`(select count(*) from channel_keys where channel_keys.channel_id = ${sql.ref(channelId)} and channel_keys.status <> 1)`

export type KeyState = { fingerprint: string; isEnabled: boolean; changedAt: number }

/** The states of the keys that were ever disabled, by channel. */
export const listKeyStates = async (
  db: Database,
  channelIds: readonly number[],
): Promise<Map<number, KeyState[]>> => {
  const found = new Map<number, KeyState[]>()
  for (const ids of chunks(channelIds)) {
    const rows = await db
      .selectFrom('channel_keys')
      .select(['channel_id', 'key_hash', 'status', 'changed_at'])
      .where('channel_id', 'in', ids)
      .where('changed_at', '>', 0)
      .orderBy('channel_id')
      .orderBy('key_hash')
      .execute()
    for (const { channel_id, key_hash: fingerprint, status, changed_at: changedAt } of rows) {
      const list = found.get(channel_id) ?? []
      list.push({ fingerprint, isEnabled: status === 1, changedAt })
      found.set(channel_id, list)
    }
  }
  return found
}

export const listKeys = (db: Database, channelId: number) =>
  db.selectFrom('channel_keys').selectAll().where('channel_id', '=', channelId).execute()

/** Removes the rows of keys that the channel has no more, and adds those of new keys. */
export const storeKeys = async (
  db: Database,
  channelId: number,
  hashes: readonly string[],
): Promise<void> => {
  const known = new Set((await listKeys(db, channelId)).map(each => each.key_hash))
  const removed = [...known].filter(each => !hashes.includes(each))
  for (const part of chunks(removed))
    await db
      .deleteFrom('channel_keys')
      .where('channel_id', '=', channelId)
      .where('key_hash', 'in', part)
      .execute()
  const added = hashes.filter(each => !known.has(each))
  for (const part of chunks(added))
    await db
      .insertInto('channel_keys')
      .values(
        part.map(key_hash => ({
          ...{ channel_id: channelId, key_hash, status: 1, reason: '', changed_at: 0 },
        })),
      )
      .execute()
}

export const forgetKeys = (db: Database, channelId: number) =>
  db.deleteFrom('channel_keys').where('channel_id', '=', channelId).execute()

export const setKeyStatus = (
  db: Database,
  channelId: number,
  key_hash: string,
  { status, at }: { status: 1 | 2; at: number },
) => {
  const change = { status, reason: '', changed_at: at }
  return db
    .insertInto('channel_keys')
    .values({ channel_id: channelId, key_hash, ...change })
    .onConflict(row => row.columns(['channel_id', 'key_hash']).doUpdateSet(change))
    .execute()
}

/** Disables an enabled key (status 3). Returns whether this caller disabled it. */
export const disableKeyRow = async (
  db: Database,
  channelId: number,
  key_hash: string,
  { reason, at }: { reason: string; at: number },
): Promise<boolean> => {
  const change = { status: 3, reason, changed_at: at }
  const changed = await db
    .insertInto('channel_keys')
    .values({ channel_id: channelId, key_hash, ...change })
    .onConflict(row =>
      row
        .columns(['channel_id', 'key_hash'])
        .doUpdateSet(change)
        .where('channel_keys.status', '=', 1),
    )
    .returning('key_hash')
    .executeTakeFirst()
  return changed !== undefined
}

/** Enables a key that the gateway itself disabled. Returns whether this caller enabled it. */
export const enableKeyRow = async (
  db: Database,
  channelId: number,
  key_hash: string,
  at: number,
): Promise<boolean> => {
  const { numUpdatedRows } = await db
    .updateTable('channel_keys')
    .set({ status: 1, reason: '', changed_at: at })
    .where('channel_id', '=', channelId)
    .where('key_hash', '=', key_hash)
    .where('status', '=', 3)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/**
 * Brings the keys in line with the channels that this transaction changed: an enabled channel without any enabled key gets
 * those back that the gateway disabled, and a deleted one has none.
 */
export const settleKeyStates = async (db: Database): Promise<void> => {
  await db
    .updateTable('channel_keys')
    .set({ status: 1, reason: '' })
    .where('status', '=', 3)
    .where('channel_id', 'in', channels =>
      channels
        .selectFrom('channels')
        .select('channels.id')
        .where('channels.version', '=', 0)
        .where('channels.status', '=', 1)
        .where(eb => eb('channels.key_count', '<=', disabledCount('channels.id'))),
    )
    .execute()
  await db
    .deleteFrom('channel_keys')
    .where('channel_id', 'in', channels =>
      channels
        .selectFrom('channels')
        .select('channels.id')
        .where('channels.version', '=', 0)
        .where('channels.deleted_at', 'is not', null),
    )
    .execute()
}
