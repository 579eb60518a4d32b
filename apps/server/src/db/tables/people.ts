import type { Generated } from 'kysely'

export type UsersTable = {
  id: Generated<number>
  /** Unique, also among deleted users: deleting renames. */
  username: string
  password_hash: string
  display_name: string
  /** 1, 10 or 100. */
  role: number
  /** 1 enabled, 2 disabled. */
  status: number
  /** Lower case; unique where not empty. */
  email: string
  avatar_url: string
  group: string
  aff_code: string
  inviter_id: number
  /** How many signed up by this user's invitation, and what that brought. Null is 0. */
  aff_count: number | null
  aff_quota: number | null
  created_time: number
  last_login_time: number
  last_login_ip: string
  /** Keyed hash of the access token for scripts. */
  access_token_hash: string | null
  must_change_password: number
  deleted_at: number | null
}

export type IdentitiesTable = { user_id: number; sign_in: string; subject: string }

/** Server-side sign-ins. The cookie holds a random id; only its hash is stored. */
export type SessionsTable = {
  id_hash: string
  user_id: number
  created_at: number
  last_seen_at: number
  expires_at: number
  ip: string
  user_agent: string
}

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
  /** What lists show: the beginning and the last four characters. */
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
} & LimitColumns
