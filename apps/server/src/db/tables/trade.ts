import type { Generated } from 'kysely'

export type ChannelsTable = {
  id: Generated<number>
  type: number
  /** One or several credentials, encrypted together. */
  key_sealed: string
  /** Keyed hash of the credential text: finds a channel by its key. */
  key_hash: string
  key_count: number
  /** 1 enabled, 2 disabled by hand, 3 disabled by the gateway. */
  status: number
  status_reason: string
  name: string
  weight: number
  priority: number
  base_url: string
  other: string
  models: string
  group: string
  tag: string
  model_mapping: string
  model_headers: string
  custom_parameter: string
  proxy: string
  test_model: string
  only_chat: number
  pre_cost: number
  compatible_response: number
  allow_extra_body: number
  /** JSON list. */
  disabled_stream: string
  /** JSON object. */
  plugin: string
  created_time: number
  test_time: number
  response_time: number
  balance: number
  balance_currency: string
  balance_updated_time: number
  deleted_at: number | null
}

export type PricesTable = {
  /** Unique: a name, or a prefix ending in `*`. */
  model: string
  type: 'tokens' | 'times'
  channel_type: number
  /** Decimals in text. */
  input: string
  output: string
  locked: number
  /** JSON object of decimals in text, or null. */
  extra_ratios: string | null
  /** JSON list of `{above, input, output}`, ascending, or null. */
  tiers: string | null
  /** JSON object of USD for one call, decimals in text, or null. */
  tool_prices: string | null
}

/** A price that counts from a moment on: then it becomes the model's row, and this one goes. */
export type PriceScheduleTable = {
  model: string
  /** Seconds. */
  at: number
  /** JSON of the columns of `prices`. */
  price: string
  created_at: number
}

/** What the last change of many prices was: one row or none. JSON lists of the columns of `prices`. */
export type PriceUndoTable = {
  id: 1
  at: number
  actor_name: string
  /** `multiple`, `delete`, `add`, `update` or `overwrite`. */
  what: string
  before: string
  after: string
}

/** Immutable: what a posting was charged by. */
export type PriceVersionsTable = {
  id: Generated<number>
  hash: string
  body: string
  /** Seconds: when it was first written. Null in rows that are older than this column. */
  created_at: number | null
}

export type OwnersTable = { id: number; name: string; icon: string }
export type OptionsTable = { key: string; value: string }
/** A number per topic, incremented in the writing transaction: how the nodes hear of a change. */
export type TopicsTable = { topic: string; n: number }

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
  outcome: string
  source_ip: string
  request_id: string
  /** SHA-256 over the hash before it and this row: a changed or missing row shows. */
  hash: string
}
