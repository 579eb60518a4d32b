import type { Generated } from 'kysely'

export type ChannelsTable = {
  id: Generated<number>
  type: number
  /** One or several credentials, encrypted together. */
  key_sealed: string
  /** Keyed hash of the credential text: finds a channel by its key. */
  key_hash: string
  key_count: number
  /** `random` or `round_robin`. */
  key_rotation: Generated<string>
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
  /** These three are encrypted; empty: none. */
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
  /** JSON object of models and their tokens as text; empty: unknown. */
  context_sizes: Generated<string>
  /** JSON object. */
  plugin: string
  created_time: number
  test_time: number
  /** Failure of the last test; empty: it passed, or none ran. */
  test_error: string
  /** A `TestKind` of the contract. */
  test_kind: string
  response_time: number
  balance: number
  balance_currency: string
  balance_updated_time: number
  deleted_at: number | null
  /** The version of the topic `channels` at the last change that the relay must notice. Null: before versions existed. */
  version: number | null
}

/** The state of each key of a channel with several. A key without a row is enabled. */
export type ChannelKeysTable = {
  channel_id: number
  /** The keyed hash of the key, which is stored encrypted in `channels.key_sealed`. */
  key_hash: string
  /** 1 enabled, 2 disabled by hand, 3 disabled by the gateway. */
  status: number
  reason: string
  /** Unix seconds of the last change of the status; 0: none. */
  changed_at: number
}

/** The evidence of one change of the state of a channel, or of one of its keys. */
export type ChannelChangesTable = {
  id: Generated<number>
  /** Unix seconds. */
  at: number
  channel_id: number
  /** The beginning of the hash of the changed key. Empty: the whole channel. */
  fingerprint: string
  /** As in `channels.status`. */
  status: number
  /** `manual`, `automatic` or `test`. */
  cause: string
  /** The name of the person; empty for the gateway. */
  actor: string
  /** The fault that caused it. Empty: none. */
  code: string
  /** The upstream's. Null: it sent none. */
  http_status: number | null
  model: string
  /** The vendor's message, scrubbed. */
  reason: string
  /** The call whose failure caused it. */
  request_id: string
}

/** The results of the last check of a channel. */
export type ChannelChecksTable = {
  channel_id: number
  /** Unix seconds of its end. */
  at: number
  /** JSON list. */
  results: string
}

/** The last test of one model of a channel. */
export type ChannelModelTestsTable = {
  channel_id: number
  model: string
  /** Unix seconds. */
  at: number
  /** Milliseconds. 0: it failed. */
  ms: number
  /** The reason why it failed, scrubbed. Empty: it passed. */
  error: string
  /** A `TestKind` of the contract. */
  kind: string
}

/** The vendor's list of models, of a channel that watches it. */
export type ChannelWatchesTable = {
  channel_id: number
  /** Unix seconds of the last attempt. */
  checked_at: number
  /** Unix seconds of the last list; 0: none. */
  read_at: number
  /** JSON list of names. */
  offered: string
  /** How often in a row the list was read with these names. */
  equal_reads: number
  /** JSON list of the names that were proposed at the last reading, such as `+new` and `-old`. Empty in older rows: none. */
  notified: string
}

/** The groups of an upstream that is a gateway. */
export type UpstreamGroupsTable = {
  channel_id: number
  /** Unix seconds of the last attempt. */
  checked_at: number
  /** Unix seconds of the last attempt that read the groups; 0: none. */
  read_at: number
  /** JSON list of `UpstreamGroup`. */
  groups: string
  /** JSON list of `Price`: what the upstream sells to a group of the multiplier 1. Null: never read. */
  prices: string | null
}

/** A row for each change of the multiplier that a channel's upstream applies to its prices. */
export type UpstreamRatiosTable = {
  channel_id: number
  /** The group of the channel's key at the upstream. */
  group: string
  /** A decimal in text, so that no digit is lost. */
  ratio: string
  /** Unix seconds. The row holds until the next one of the channel. */
  valid_from: number
  /** 0: a change that no administrator has confirmed yet. */
  is_confirmed: number
}
