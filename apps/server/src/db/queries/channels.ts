import type { Channel, ChannelSecret } from '@hub/contract'
import type { ExpressionBuilder, Insertable, Updateable } from 'kysely'
import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../index.ts'
import type { ChannelsTable } from '../tables/channels.ts'
import type { Tables } from '../tables/index.ts'
import { disabledCount } from './channel-keys.ts'
import { changedHere } from './channel-versions.ts'
import { chunks } from './chunks.ts'
import { type Paging, selectPage } from './paging.ts'
import { changedOne } from './rows.ts'
import { commaListIncludes, contains, startsWith } from './text.ts'

const usedOf = (column: string) =>
  sql<number>`(select coalesce(sum(used), 0) from channel_used where channel_used.channel_id = ${sql.ref(column)})`

export const notDeleted = (db: Database) =>
  db
    .selectFrom('channels')
    .where('channels.deleted_at', 'is', null)
    .selectAll('channels')
    .select([
      usedOf('channels.id').as('used_quota'),
      disabledCount('channels.id').as('disabled_keys'),
    ])

export type ChannelRow = NonNullable<Awaited<ReturnType<typeof find>>>

export const find = (db: Database, id: number) =>
  notDeleted(db).where('channels.id', '=', id).executeTakeFirst()

/** Ids that do not exist are left out. */
export const listByIds = async (db: Database, ids: readonly number[]) => {
  const found: ChannelRow[] = []
  for (const part of chunks(ids))
    found.push(...(await notDeleted(db).where('channels.id', 'in', part).execute()))
  return found
}

export const listDisabled = (db: Database) =>
  notDeleted(db).where('channels.status', 'in', [2, 3]).execute()

export const listNames = (db: Database, ids: readonly number[]) =>
  db.selectFrom('channels').select(['id', 'name']).where('id', 'in', ids).execute()

/** All channels, without their long texts. */
export const listHealth = (db: Database) =>
  db
    .selectFrom('channels')
    .where('deleted_at', 'is', null)
    .select(['id', 'name', 'status', 'status_reason', 'test_error', 'test_time'])
    .select(['balance', 'balance_currency', 'balance_updated_time', 'plugin'])
    .orderBy('id')
    .execute()

/**
 * Channels that serve, that were disabled by the gateway, and whose balance is used up or was read before this time. A
 * window of a subscription that is used up refills by itself.
 */
export const countHealth = async (db: Database, staleBefore: number) => {
  const count = (condition: RawBuilder<unknown>) =>
    sql<number>`coalesce(sum(case when ${condition} then 1 else 0 end), 0)`
  const row = await db
    .selectFrom('channels')
    .leftJoin('channel_balance_states', 'channel_balance_states.channel_id', 'channels.id')
    .where('deleted_at', 'is', null)
    .select([
      count(sql`status = 1`).as('enabled'),
      count(sql`status = 3`).as('disabled'),
      count(
        sql`status = 1 and balance_updated_time > 0 and balance <= 0 and coalesce(kind, '') <> 'window'`,
      ).as('empty'),
      count(
        sql`status = 1 and balance_updated_time > 0 and balance_updated_time < ${staleBefore}`,
      ).as('stale'),
    ])
    .executeTakeFirstOrThrow()
  const { enabled, disabled, empty, stale } = row
  return {
    ...{ enabled: Number(enabled), disabled: Number(disabled) },
    ...{ empty: Number(empty), stale: Number(stale) },
  }
}

export type ChannelFilter = {
  type?: number | undefined
  status?: number | undefined
  name?: string | undefined
  group?: string | undefined
  models?: string | undefined
  other?: string | undefined
  test_model?: string | undefined
  tag?: string | undefined
  filter_tag?: number | undefined
  keyHash?: string | undefined
}

const matching = (db: Database, filter: ChannelFilter) => {
  const { type, status, name, group, models, other, test_model, tag, filter_tag, keyHash } = filter
  return notDeleted(db)
    .$if(!!type, rows => rows.where('type', '=', type!))
    .$if(!!status, rows => rows.where('status', '=', status!))
    .$if(!!name, rows => rows.where(contains('channels.name', name!)))
    .$if(!!group, rows => rows.where(commaListIncludes('channels.group', group!)))
    .$if(!!models, rows => rows.where(contains('channels.models', models!)))
    .$if(!!other, rows => rows.where(startsWith('channels.other', other!)))
    .$if(!!test_model, rows => rows.where(startsWith('channels.test_model', test_model!)))
    .$if(!!tag, rows => rows.where('tag', '=', tag!))
    .$if(filter_tag === 1, rows => rows.where('tag', '=', ''))
    .$if(filter_tag === 2, rows => rows.where('channels.id', 'in', newestOfTags))
    .$if(!!keyHash, rows => rows.where(hasKey(keyHash!)))
}

export const listMatching = (db: Database, filter: ChannelFilter) =>
  matching(db, filter).orderBy('channels.id').execute()

export const list = (db: Database, filter: ChannelFilter & Paging) => {
  const columns = [
    'id',
    'name',
    'group',
    'type',
    'status',
    'response_time',
    'balance',
    'priority',
    'weight',
  ]
  return selectPage(db, matching(db, filter), filter, {
    ...Object.fromEntries(columns.map(column => [column, sql.ref(`channels.${column}`)])),
    id: sql.ref('channels.id'),
    used_quota: usedOf('channels.id'),
  })
}

/** The only key of the channel, or one of several. */
const hasKey = (keyHash: string) => (rows: ExpressionBuilder<Tables, 'channels'>) =>
  rows.or([
    rows('channels.key_hash', '=', keyHash),
    rows(
      'channels.id',
      'in',
      rows.selectFrom('channel_keys').select('channel_id').where('key_hash', '=', keyHash),
    ),
  ])

const newestOfTags = (rows: ExpressionBuilder<Tables, 'channels'>) =>
  rows
    .selectFrom('channels as each')
    .select(({ fn }) => fn.max('each.id').as('id'))
    .where('each.tag', '<>', '')
    .where('each.deleted_at', 'is', null)
    .groupBy('each.tag')

const noSecrets = { key_sealed: '', proxy: '', model_headers: '', custom_parameter: '' }
export type SealedColumns = typeof noSecrets

/** Set on deletion: the name stays for the logs, all secrets are removed. */
export const removedSecrets = { ...noSecrets, key_hash: '' }

/** Inserts a row and then its encrypted columns, which are sealed with the id of the row. Returns the id. */
export const insert = async (
  db: Database,
  channel: Omit<Insertable<ChannelsTable>, keyof SealedColumns | 'version'>,
  seal: (id: number) => SealedColumns,
): Promise<number> => {
  const { id } = await db
    .insertInto('channels')
    .values({ ...channel, ...noSecrets, ...changedHere })
    .returning('id')
    .executeTakeFirstOrThrow()
  await db.updateTable('channels').set(seal(id)).where('id', '=', id).execute()
  return id
}

const secretColumns = ['proxy', 'model_headers', 'custom_parameter'] as const

/** Every encrypted text begins with it, and no plain secret does. */
export const sealedPrefix = 'v1.'

/** Rows, deleted ones too, in which an earlier release stored a secret in plain text. */
export const listPlain = (db: Database) =>
  db
    .selectFrom('channels')
    .select(['id', 'deleted_at', 'base_url', ...secretColumns])
    .where(({ eb, or, and }) =>
      or([
        ...secretColumns.map(name =>
          and([eb(name, '<>', ''), eb(name, 'not like', `${sealedPrefix}%`)]),
        ),
        eb('base_url', 'like', 'http%://%@%'),
      ]),
    )
    .execute()

/** Changes a row of `listPlain`, unless another node was faster. */
export const replacePlain = async (
  db: Database,
  { id, proxy, model_headers, custom_parameter }: { id: number } & Record<ChannelSecret, string>,
  change: Updateable<ChannelsTable>,
): Promise<void> => {
  const before = { id, proxy, model_headers, custom_parameter }
  await db
    .updateTable('channels')
    .set(change)
    .where(({ and }) => and(before))
    .execute()
}

export const update = (db: Database, id: number, change: Updateable<ChannelsTable>) =>
  changedOne(
    db
      .updateTable('channels')
      .set({ id, ...change, ...changedHere })
      .where('id', '=', id)
      .where('deleted_at', 'is', null),
  )

/** Locks the rows in the order of their ids, so that two callers never wait for each other. */
export const lockMany = async (db: Database, ids: readonly number[]): Promise<void> => {
  for (const id of ids.toSorted((a, b) => a - b))
    await db.updateTable('channels').set({ id }).where('id', '=', id).execute()
}

const remove = (db: Database, now: number) =>
  db
    .updateTable('channels')
    .set({ deleted_at: now, ...removedSecrets, ...changedHere })
    .where('deleted_at', 'is', null)

/** Soft-deletes channels. */
export const removeMany = async (db: Database, ids: number[], now: number): Promise<number> => {
  const { numUpdatedRows } = await remove(db, now).where('id', 'in', ids).executeTakeFirst()
  return Number(numUpdatedRows)
}

export const removeDisabled = async (db: Database, now: number): Promise<number> => {
  const { numUpdatedRows } = await remove(db, now).where('status', 'in', [2, 3]).executeTakeFirst()
  return Number(numUpdatedRows)
}

/** Models and groups of the enabled channels. */
export const listOffers = (db: Database) =>
  db
    .selectFrom('channels')
    .select(['models', 'group'])
    .where('status', '=', 1)
    .where('deleted_at', 'is', null)
    .execute()

export const asChannel = (row: ChannelRow): Channel => ({
  id: row.id,
  type: row.type,
  key_count: row.key_count,
  disabled_key_count: Number(row.disabled_keys),
  key_rotation: row.key_rotation as Channel['key_rotation'],
  status: row.status as Channel['status'],
  status_reason: row.status_reason,
  name: row.name,
  weight: row.weight,
  priority: row.priority,
  base_url: row.base_url,
  other: row.other,
  models: row.models,
  group: row.group,
  tag: row.tag,
  model_mapping: row.model_mapping,
  test_model: row.test_model,
  only_chat: row.only_chat === 1,
  pre_cost: row.pre_cost as Channel['pre_cost'],
  compatible_response: row.compatible_response === 1,
  allow_extra_body: row.allow_extra_body === 1,
  disabled_stream: JSON.parse(row.disabled_stream),
  context_sizes: row.context_sizes,
  plugin: JSON.parse(row.plugin),
  created_time: row.created_time,
  test_time: row.test_time,
  test_error: row.test_error,
  test_kind: row.test_kind as Channel['test_kind'],
  response_time: row.response_time,
  balance: row.balance,
  balance_currency: row.balance_currency,
  balance_updated_time: row.balance_updated_time,
  used_quota: Number(row.used_quota),
  is_set: {
    proxy: row.proxy !== '',
    model_headers: row.model_headers !== '',
    custom_parameter: row.custom_parameter !== '',
  },
})
