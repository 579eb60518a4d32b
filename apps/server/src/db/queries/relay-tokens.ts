import { sql } from 'kysely'
import type { Database } from '../index.ts'
import type { LimitColumns } from '../tables/groups-tokens.ts'

/** The data of a token that admission needs. Money is absent, because the hold guards it. */
export type RelayTokenRow = {
  tokenId: number
  tokenName: string
  keyHash: string
  tokenGroup: string
  backupGroup: string | null
  billingTag: string | null
  /** JSON. */
  setting: string
  /** 1 enabled, 2 disabled. */
  tokenStatus: number
  /** Seconds; -1 never. */
  expiresAt: number
  userId: number
  username: string
  role: number
  userStatus: number
  userGroup: string
  /** Null: only the group's. */
  requestsPerMinute: number | null
  /** 1: yes. */
  usesResponseCache: number | null
} & LimitColumns

const limitColumns = [
  'requests_per_day',
  'tokens_per_minute',
  'concurrent_requests',
  'quota_per_day',
  'quota_per_month',
] as const

/** Tokens and owners that are not deleted, with the columns of a `RelayTokenRow`. */
export const selectRelayTokens = (db: Database) =>
  db
    .selectFrom('tokens')
    .innerJoin('users', 'users.id', 'tokens.user_id')
    .innerJoin('token_spend', 'token_spend.token_id', 'tokens.id')
    .where('tokens.deleted_at', 'is', null)
    .where('users.deleted_at', 'is', null)
    .select([
      'tokens.id as tokenId',
      'tokens.name as tokenName',
      'tokens.key_hash as keyHash',
      'tokens.group as tokenGroup',
      'tokens.backup_group as backupGroup',
      'tokens.billing_tag as billingTag',
      'tokens.setting as setting',
      'token_spend.status as tokenStatus',
      'token_spend.expires_at as expiresAt',
      'users.id as userId',
      'users.username as username',
      'users.role as role',
      'users.status as userStatus',
      'users.group as userGroup',
      'tokens.api_rate as requestsPerMinute',
      'tokens.chat_cache as usesResponseCache',
      ...limitColumns.map(each => `tokens.${each}` as const),
    ])

export const findRelayToken = (db: Database, keyHash: string): Promise<RelayTokenRow | undefined> =>
  selectRelayTokens(db).where('tokens.key_hash', '=', keyHash).executeTakeFirst()

/** Key hashes of the next `limit` tokens after an id, ordered by id. */
export const listKeyHashes = (db: Database, afterId: number, limit: number) =>
  db
    .selectFrom('tokens')
    .select(['id', 'key_hash as keyHash'])
    .where('id', '>', afterId)
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .limit(limit)
    .execute()

/** Tokens, also deleted ones, that changed after a version of the topic `tokens`. */
export const listChangedTokens = (db: Database, afterVersion: number) =>
  db
    .selectFrom('tokens')
    .select(['id', 'key_hash as keyHash', 'version'])
    .where('version', '>', afterVersion)
    .execute()

export const listRelayGroups = (db: Database) =>
  db
    .selectFrom('user_groups')
    .select([
      'symbol',
      'api_rate as requestsPerMinute',
      'enable as isEnabled',
      sql.ref<number>('public').as('isPublic'),
      ...limitColumns,
    ])
    .execute()
