import {
  type CheckpointOperation,
  type HoldOperation,
  type Outcomes,
  unboundedHolds,
} from '../../../operations.ts'
import { type AccountRow, makeReservations, type TokenLimitsRow } from './reservations.ts'
import type { Statements } from './statements.ts'

type HoldOutcome = Outcomes['hold']

const succeeded: HoldOutcome = { ok: true }

/** Writes the rows of a hold that say who it is, before anything is reserved for it. */
const makeInsertions = ({ holds, postings, requests }: Statements) => {
  /** Returns the request that owns the Idempotency-Key, unless it is this one. */
  const findKeyOwner = ({ id, at, idempotency }: HoldOperation) => {
    if (!idempotency) return
    const { keyHash, bodyHash } = idempotency
    if (requests.insertIdempotencyKey.run(keyHash, bodyHash, id, at).changes === 1) return
    const row = requests.findIdempotencyKey.get(keyHash) as {
      request_id: number
      body_hash: string
    }
    return row.request_id === id ? undefined : row
  }

  /** Inserts the hold. False if it exists: then an earlier batch has reserved it. */
  const insert = (epoch: number, operation: HoldOperation, isReplay: boolean): boolean => {
    const { id, userId, tokenId, amount, priceId, at, unbounded = null } = operation
    if (isReplay && postings.exists.get(id)) return false
    return (
      holds.insert.run(id, userId, tokenId, epoch, amount, priceId, at, unbounded).changes === 1
    )
  }

  /** A user has one hold at a time that must be alone. */
  const hasOtherAlone = ({ id, userId, unbounded }: HoldOperation): boolean =>
    unbounded === unboundedHolds.alone && holds.findUnbounded.get(userId, id) !== undefined

  return { findKeyOwner, insert, hasOtherAlone }
}

/** The operation that opens a hold. */
const makeHoldAll = (statements: Statements) => {
  const { holds, requests } = statements
  const { reserve, reserveTogether, explainRefusal } = makeReservations(statements)
  const { findKeyOwner, insert, hasOtherAlone } = makeInsertions(statements)

  /** Reserves an inserted hold by itself, and deletes it if it is refused. */
  const reserveOne = (operation: HoldOperation): HoldOutcome => {
    const { id } = operation
    const owner = findKeyOwner(operation)
    const refused = owner ? undefined : reserve(operation)
    if (!owner && !refused) return succeeded
    holds.close.get(id)
    if (owner)
      return {
        ok: false,
        why: 'duplicate',
        requestId: owner.request_id,
        bodyHash: owner.body_hash,
      }
    if (operation.idempotency) requests.deleteIdempotencyKey.get(id)
    return { ok: false, ...refused! }
  }

  /** Performs all holds of a batch. If those of a user do not all fit, the first ones win. */
  return (
    epoch: number,
    operations: readonly HoldOperation[],
    isReplay: boolean,
  ): HoldOutcome[] => {
    const refused = new Map<number, HoldOutcome>()
    const inserted = operations.filter(each => {
      if (!hasOtherAlone(each)) return insert(epoch, each, isReplay)
      refused.set(each.id, { ok: false, ...explainRefusal(each) })
      return false
    })
    for (const ofUser of groupByUser(inserted)) {
      const isTogether = ofUser.length > 1 && !ofUser.some(each => each.idempotency)
      if (isTogether && reserveTogether(ofUser)) continue
      for (const each of ofUser) {
        const outcome = reserveOne(each)
        if (!outcome.ok) refused.set(each.id, outcome)
      }
    }
    return operations.map(({ id }) => refused.get(id) ?? succeeded)
  }
}

/** The operation that extends a hold. */
const makeCheckpoint = ({ holds, tokens, accounts }: Statements) => {
  const grantable = (userId: number, tokenId: number, want: number): number => {
    const account = accounts.find.get(userId) as AccountRow | undefined
    const token = tokens.find.get(tokenId, userId) as TokenLimitsRow | undefined
    if (account?.frozen !== 0 || token?.status !== 1) return 0
    return Math.max(0, Math.min(want, account.available, token.available))
  }

  return (epoch: number, operation: CheckpointOperation): Outcomes['checkpoint'] => {
    const { id, accrued, usage, want } = operation
    const row = holds.accrue.get(accrued, usage, id, epoch) as
      | { user_id: number; token_id: number }
      | undefined
    if (!row) return { ok: false, why: 'gone' }
    const granted = want > 0 ? grantable(row.user_id, row.token_id, want) : 0
    if (granted > 0) {
      tokens.reserve.run(granted, row.token_id, row.user_id, -1)
      accounts.reserve.run(granted, row.user_id)
      holds.extend.run(granted, id)
    }
    return { ok: true, granted }
  }
}

/** The operations that open and extend a hold: hold and checkpoint. */
export const makeHoldSteps = (statements: Statements) => ({
  holdAll: makeHoldAll(statements),
  checkpoint: makeCheckpoint(statements),
})

const groupByUser = (operations: readonly HoldOperation[]) =>
  Map.groupBy(operations, each => each.userId).values()
