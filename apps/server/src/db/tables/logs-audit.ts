import type { Generated } from 'kysely'

export type LogsTable = {
  id: number
  user_id: number
  created_at: number
  type: number
  content: string
  username: string
  token_name: string
  model_name: string
  quota: number
  prompt_tokens: number
  completion_tokens: number
  channel_id: number
  request_time: number
  is_stream: number
  source_ip: string
  /** JSON object. */
  metadata: string
  /** The operator's cost of the call, in 10⁻¹⁰ of the currency of its version. Null: not known, or another kind of row. */
  cost?: number | null
  cost_version?: number | null
  /** One of `costKinds`; null without a cost. */
  cost_kind?: number | null
}

export type AuditTable = {
  id: Generated<number>
  at: number
  actor_id: number
  actor_name: string
  action: string
  target: string
  /** JSON object, secrets as fingerprints. */
  input: string
  /** JSON object: the changed fields. Null in rows of older releases. */
  changes: string | null
  /** The role at the time of the write. 0: no signed-in user. Null in rows of older releases. */
  actor_role: number | null
  outcome: string
  source_ip: string
  request_id: string
  /** SHA-256 over the hash before it and this row: a changed or missing row shows. */
  hash: string
}

/** Sums of calls by time and by one attribute. They survive the deletion of logs. */
export type UsageSumsTable = {
  /**
   * `all` (the key is empty), `model`, `user`, `channel`, `group` (the billing tag of the token, or else the group that
   * the call was charged in), or `code` (the fault code of failed calls). The key of the only row of the kind `zone` is
   * the time zone of the days.
   */
  kind: string
  /** The length in seconds: 900, or 86,400 for a complete day of the time zone, however long. */
  span: number
  /** The first second. */
  at: number
  key: string
  /** Calls that were charged, also with 0 points. */
  requests: number
  failed: number
  /** Failed calls of which a part was charged: they count as requests too. */
  charged_failures: number
  /** Points. */
  quota: number
  prompt_tokens: number
  completion_tokens: number
  /** Milliseconds of the charged calls. Null in rows of older releases. */
  request_time: number | null
}

/** Calls of one hour by channel and model: what the vendor's prompt cache read, wrote and missed. */
export type CacheSumsTable = {
  channel_id: number
  /** The first second of the hour (UTC). */
  at: number
  model: string
  /** Charged calls. */
  requests: number
  prompt_tokens: number
  read_tokens: number
  written_tokens: number
  /** Calls of which a prompt before should have been in the cache, and those that missed a part of it. */
  expecting: number
  missing: number
  missed_tokens: number
  /** Points that the misses cost. */
  missed_points: number
}
