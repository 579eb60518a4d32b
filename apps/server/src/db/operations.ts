import type { LogsTable } from './tables/trade.ts'

/**
 * The other side of every posting. Constants without rows: a balance of theirs is a sum over `transfers`.
 * What a system account gives is a debit of it, what it takes is a credit.
 */
export const systemAccounts = { revenue: -1, grants: -2, clearing: -3, shortfall: -4 } as const

/** Ids are `epoch * 2^32 + n`: safe integers, ordered by admission, free of clocks. */
export const idsPerEpoch = 2 ** 32

/** What the ledger's one writer is asked to do. Each operation is idempotent by its id. All amounts are points. */
export type HoldOperation = {
  kind: 'hold'
  id: number
  userId: number
  tokenId: number
  amount: number
  priceId: number
  /** Seconds. */
  at: number
  /** Refused as `duplicate` when this key already has a request. */
  idempotency?: { keyHash: string; bodyHash: string } | undefined
}

export type CheckpointOperation = {
  kind: 'checkpoint'
  id: number
  accrued: number
  usage: string
  /** How much to add to the hold; as much of it as is available is granted. */
  want: number
}

/**
 * Posts `charge` as kind `request` and closes the hold. Where the hold is gone: nothing, if this epoch posted it already;
 * the difference as kind `late`, if a takeover posted part of it; all of it, if nothing was posted.
 */
export type SettleOperation = {
  kind: 'settle'
  id: number
  userId: number
  tokenId: number
  channelId: number
  charge: number
  priceId: number
  /** JSON receipt. */
  usage: string
  at: number
  /** What the vendor keeps of it, by its ids: written down for the user, in the same commit. Absent: nothing. */
  stored?: { ids: readonly string[]; credential: string } | undefined
  /** Its `quota` is written as what was really charged. */
  log: LogsTable | null
}

export type VoidOperation = { kind: 'void'; id: number }

/** Closes a dead epoch's hold at what was accrued, or gives it back. Nothing happens when it was closed already. */
export type RecoverOperation = { kind: 'recover'; id: number; at: number }

export type Operation =
  | HoldOperation
  | CheckpointOperation
  | SettleOperation
  | VoidOperation
  | RecoverOperation

export type HoldRefusal =
  | 'balance'
  | 'frozen'
  | 'token-disabled'
  | 'token-expired'
  | 'token-exhausted'
  | 'duplicate'

export type Outcomes = {
  hold: { ok: true } | { ok: false; why: HoldRefusal; requestId?: number; bodyHash?: string }
  checkpoint: { ok: true; granted: number } | { ok: false; why: 'gone' }
  /** `charged` is all that this request has cost, `shortfall` what could not be taken. */
  settle: { ok: true; charged: number; shortfall: number; late: boolean }
  void: { ok: true }
  recover: { ok: true }
}
export type OutcomeOf<O extends Operation> = Outcomes[O['kind']]
export type Outcome = Outcomes[Operation['kind']]
