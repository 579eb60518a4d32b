import type { AttemptCostsTable } from './tables/costs.ts'
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

/**
 * A hold whose charge may exceed it, because the size of what the vendor reads has no bound. `alone`: the payer may have
 * one such hold at a time. `assumed`: it covers an assumed size, so that others may be open too.
 */
export const unboundedHolds = { alone: 1, assumed: 2 } as const

export type UnboundedHold = (typeof unboundedHolds)[keyof typeof unboundedHolds]

/** How the cost of a call is known: the vendor's own figure, its usage at the list's prices, or an estimated usage. */
export const costKinds = { vendor: 1, computed: 2, estimated: 3 } as const

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
  /** Absent: the hold covers what the call may cost. */
  unbounded?: UnboundedHold | undefined
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
  /** The costs of other attempts of the call, recorded in the same commit. */
  attempts?: readonly AttemptCostsTable[] | undefined
}

export type VoidOperation = {
  kind: 'void'
  id: number
  /** The costs of attempts of a call without an answer, recorded in the same commit. */
  attempts?: readonly AttemptCostsTable[] | undefined
}

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
  /** Balance and cap would cover it if no other hold were open. */
  | 'held'
  | 'frozen'
  | 'token-disabled'
  | 'token-expired'
  | 'token-exhausted'
  | 'duplicate'

export type Outcomes = {
  /** `held`: the points of the open holds that stand in the way. */
  hold:
    | { ok: true }
    | { ok: false; why: HoldRefusal; held?: number; requestId?: number; bodyHash?: string }
  checkpoint: { ok: true; granted: number } | { ok: false; why: 'gone' }
  /**
   * `charged` is the total charge of this request, `shortfall` the part that balance or cap did not cover.
   * `isUnbounded`: the hold had no bound, so that a shortfall is no error.
   */
  settle: { ok: true; charged: number; shortfall: number; late: boolean; isUnbounded?: true }
  void: { ok: true }
  recover: { ok: true }
}
export type OutcomeOf<O extends LedgerOperation> = Outcomes[O['kind']]
export type Outcome = Outcomes[LedgerOperation['kind']]
