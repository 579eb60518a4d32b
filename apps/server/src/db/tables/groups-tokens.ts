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
  /** 1: users who paid at least `min` and less than `max` are moved here. Null is 0. */
  promotion: number | null
  /** USD. Null is 0; a `max` of 0 has no upper end. */
  min: number | null
  max: number | null
} & LimitColumns

export type TokensTable = {
  id: Generated<number>
  user_id: number
  name: string
  /** SHA-256 of the whole key, hex. */
  key_hash: string
  /** The displayed form: the beginning and the last four characters. */
  key_masked: string
  /** The key, encrypted: revealed to its owner on request. Empty: imported by its hash, and never revealed. */
  key_sealed: string
  group: string
  /** The group whose channels serve where `group` has none. Null or empty: none. */
  backup_group: string | null
  /** The group that charges are counted for. Null or empty: the group that they are made in. */
  billing_tag: string | null
  /** 1: equal requests are answered out of the response cache. Null is 0. */
  chat_cache: number | null
  /** JSON: TokenSetting of the contract. */
  setting: string
  /** Requests per minute; null: only the group's. */
  api_rate: number | null
  created_time: number
  deleted_at: number | null
  /** The version of the topic `tokens` at the last change of the row or its owner. Null: before versions existed. */
  version: number | null
} & LimitColumns
