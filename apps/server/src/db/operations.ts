import type { LogsTable } from './tables/logs-audit.ts'

/** For the caller of a call that was refused before its upstream was asked. */
export const notStartedHint = 'Nothing was started.'

/**
 * The accounts on the other side of every posting. They have no rows: their balance is a sum over `transfers`.
 * A system account is debited when it gives points and credited when it receives them.
 */
export const systemAccounts = { revenue: -1, grants: -2, clearing: -3, shortfall: -4 } as const

/** Ids are `epoch * 2^32 + n`: safe integers, ordered by admission, independent of clocks. */
export const idsPerEpoch = 2 ** 32

/** The operations of the ledger are idempotent by id. Amounts are points, times are Unix seconds. */
export type HoldOperation = {
  kind: 'hold'
  id: number
  userId: number
  tokenId: number
  amount: number
  priceId: number
  /** Seconds. */
  at: number
  /** The hold is refused as `duplicate` if another request owns this key. */
  idempotency?: { keyHash: string; bodyHash: string } | undefined
}

export type CheckpointOperation = {
  kind: 'checkpoint'
  id: number
  accrued: number
  usage: string
  /** Points to add to the hold; the available part of them is granted. */
  want: number
}

/**
 * Posts `charge` as kind `request` and closes the hold. If the hold is gone, it posts nothing if this epoch has posted
 * already, the difference as kind `late` after a takeover, and otherwise the whole charge.
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
  /** Responses that the vendor stores: their owner is recorded in the same commit. */
  stored?: { ids: readonly string[]; credential: string } | undefined
  /** Its `quota` is replaced by the charged points. */
  log: LogsTable | null
}

export type VoidOperation = { kind: 'void'; id: number }

/** Closes a hold of a dead epoch at its accrued amount, or releases it. Does nothing if it is closed already. */
export type RecoverOperation = { kind: 'recover'; id: number; at: number }

export type LedgerOperation =
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
  /** `charged` is the total charge of this request, `shortfall` the part that the balance did not cover. */
  settle: { ok: true; charged: number; shortfall: number; late: boolean }
  void: { ok: true }
  recover: { ok: true }
}
export type OutcomeOf<O extends LedgerOperation> = Outcomes[O['kind']]
export type Outcome = Outcomes[LedgerOperation['kind']]
