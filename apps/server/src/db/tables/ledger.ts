import type { Generated } from 'kysely'

/** One row per process that ever wrote. Its epoch makes ids: epoch * 2^32 + n. */
export type NodesTable = { epoch: Generated<number>; beat: number; state: 'live' | 'dead' }

export type AccountsTable = {
  user_id: number
  /** Points; what can be spent is balance - held. Checks: held >= 0, balance >= held. */
  balance: number
  held: number
  used: number
  requests: number
  frozen: number
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

/** Open holds only: resolving is deleting. */
export type HoldsTable = {
  id: number
  user_id: number
  token_id: number
  epoch: number
  amount: number
  /** What has been delivered so far is worth this much: the charge if the owner dies. */
  accrued: number
  price_id: number
  /** JSON receipt so far. */
  usage: string
  /** Seconds. */
  opened_at: number
}

/** Append only. One row is both sides of a posting: it sums to zero by construction. */
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
  /** JSON receipt: usage vector, ratios, what was asked and what was billed. */
  usage: string
}

export type ChannelUsedTable = { channel_id: number; epoch: number; used: number; n: number }

/** What an owner of a limit had spent when a window began: what it spent since is the difference. */
export type LimitMarksTable = {
  /** `token:7` or `user:7`. */
  owner: string
  /** `day` or `month`, and the second it began at. */
  window: string
  used: number
}

/** What a finished answer cost beyond what could be taken. */
export type ShortfallsTable = { id: number; user_id: number; amount: number; at: number }

/** Which Idempotency-Key was charged by which request. */
export type IdempotencyTable = {
  key_hash: string
  body_hash: string
  request_id: number
  at: number
}
