import type { Generated } from 'kysely'

/** One row per process that ever wrote. Ids are epoch * 2^32 + n. `heartbeat` counts renewals. */
export type NodesTable = { epoch: Generated<number>; heartbeat: number; state: 'live' | 'dead' }

export type AccountsTable = {
  user_id: number
  /** Points; what can be spent is balance - held. Checks: held >= 0, balance >= held. */
  balance: number
  held: number
  used: number
  requests: number
  frozen: number
  /** 1: a debt has frozen the account, and its payment thaws it. Null is 0. */
  frozen_by_debt: number | null
}

export type TokenSpendTable = {
  token_id: number
  user_id: number
  /** 1 enabled, 2 disabled. Expired and exhausted follow from the other columns. */
  status: number
  /** Seconds; -1 never. */
  expires_at: number
  /** Null: unlimited. */
  cap: number | null
  used: number
  held: number
  /** Seconds. */
  last_used_at: number
}

/** Open holds only: closing a hold deletes its row. */
export type HoldsTable = {
  id: number
  user_id: number
  token_id: number
  epoch: number
  amount: number
  /** Points of the part delivered so far: the charge if the node dies. */
  accrued: number
  price_id: number
  /** JSON receipt so far. */
  usage: string
  /** Seconds. */
  opened_at: number
  /** One of `unboundedHolds`; null where the hold covers what the call may cost. */
  unbounded: number | null
}

/** Append-only. One row contains both sides of a posting, so that the sum is always zero. */
export type TransfersTable = {
  id: number
  /** Seconds. */
  at: number
  kind: string
  /** Unique together with kind, where kind is not `request`. */
  source: string
  /** Account ids: users are positive; system accounts are the negative constants of billing/accounts.ts. */
  debit: number
  credit: number
  amount: number
  token_id: number
  channel_id: number
  price_id: number
  /** JSON receipt: usage, ratios, requested and billed model. */
  usage: string
}

export type ChannelUsedTable = { channel_id: number; epoch: number; used: number; n: number }

/** Spending of a limit owner at the start of a window. Later spending is the difference. */
export type LimitMarksTable = {
  /** `token:7` or `user:7`. */
  owner: string
  /** `day` or `month`, and the second it began at. */
  window: string
  used: number
}

/** Use before an import from another gateway, which has no postings here: `user:7`, `token:7` or `channel:7`. */
export type ImportedCountersTable = { owner: string; used: number; requests: number }

/** The part of a charge that neither balance nor cap covered. */
export type ShortfallsTable = {
  id: number
  user_id: number
  amount: number
  at: number
  /** `unbounded`: the hold could not cover the call. Null: it should have. */
  kind: 'unbounded' | null
}

/** The request that owns an Idempotency-Key. */
export type IdempotencyTable = {
  key_hash: string
  body_hash: string
  request_id: number
  at: number
}
