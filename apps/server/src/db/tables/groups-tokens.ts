import type { Generated } from 'kysely'

/** Null: no limit. Money is in points. */
export type LimitColumns = {
  requests_per_day: number | null
  tokens_per_minute: number | null
  concurrent_requests: number | null
  quota_per_day: number | null
  quota_per_month: number | null
}

export type UserGroupsTable = {
  id: Generated<number>
  symbol: string
  name: string
  /** A decimal in text, so that no digit is lost. */
  ratio: string
  api_rate: number
  public: number
  enable: number
} & LimitColumns

export type TokensTable = {
  id: Generated<number>
  user_id: number
  name: string
  /** SHA-256 of the whole key, hex. */
  key_hash: string
  /** The displayed form: the beginning and the last four characters. */
  key_masked: string
  /** The key, encrypted: revealed to its owner on request. */
  key_sealed: string
  group: string
  /** JSON: TokenSetting of the contract. */
  setting: string
  /** Requests per minute; null: only the group's. */
  api_rate: number | null
  created_time: number
  deleted_at: number | null
  /** The version of the topic `tokens` at the last change of the row or its owner. Null: before versions existed. */
  version: number | null
} & LimitColumns
