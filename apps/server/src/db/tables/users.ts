import type { Generated } from 'kysely'

export type UsersTable = {
  id: Generated<number>
  /** Unique, also among deleted users: deleting renames. */
  username: string
  /** Unique: the name without differences of case and form. Null for deleted users and old duplicates. */
  username_key: string | null
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
  /** The secret that signs callbacks is derived from it. Null is 0. */
  callback_secret_version: number | null
  /** The group that top-ups gave, and the group before the first of them. Null: an administrator chose the group. */
  promoted_to: string | null
  promoted_from: string | null
}

/** Accounts of users at third parties; a user has at most one at each. */
export type IdentitiesTable = {
  user_id: number
  /** The id of the provider; `custom:<id>` for one of `oauth_providers`. */
  sign_in: string
  /** The id of the account there, never empty. With several authorities, preceded by the authority and a space. */
  subject: string
  /** The name of the account there. Null is empty. */
  label: string | null
}

/** Server-side sign-ins. The cookie holds a random id; only its hash is stored. */
export type SessionsTable = {
  id_hash: string
  user_id: number
  created_at: number
  last_seen_at: number
  expires_at: number
  ip: string
  user_agent: string
  /** The last fresh proof, in seconds. Null: none. */
  proved_at?: number | null
}
