import {
  idsPerEpoch,
  type Outcomes,
  type RecoverOperation,
  type SettleOperation,
  type VoidOperation,
} from '../../../operations.ts'
import type { BalanceChanges } from './balance-changes.ts'
import { makePostings } from './postings.ts'
import type { Statements } from './statements.ts'

const settled = (charged: number, shortfall: number, late: boolean): Outcomes['settle'] => ({
  ok: true,
  charged,
  shortfall,
  late,
})

/** The row that `holds.close` returns. */
type ClosedHold = [
  userId: number,
  tokenId: number,
  amount: number,
  accrued: number,
  priceId: number,
  usage: string,
  unbounded: number | null,
]

/** The operations that end a hold: settle, void and recover. */
export const makeSettleSteps = (statements: Statements, changes: BalanceChanges) => {
  const postings = makePostings(statements, changes)
  const { post, takeAvailable, recordShortfall, writeLog, writeAttempts } = postings
  const closeHold = (id: number) => statements.holds.close.get(id) as ClosedHold | undefined

  /** Settles a request whose hold was lost, voided, or closed by a takeover. */
  const settleLate = (epoch: number, operation: SettleOperation) => {
    const { id, userId, tokenId, channelId, priceId, usage, at, charge, log } = operation
    const posted = statements.postings.find.get(id) as
      | { amount: number; late: number | null; shortfall: number | null }
      | undefined
    const chargedBefore = posted ? posted.amount + (posted.late ?? 0) : 0
    const isOwnEpoch = Math.floor(id / idsPerEpoch) === epoch
    if (posted && (isOwnEpoch || posted.late !== null || posted.shortfall !== null)) {
      return settled(chargedBefore, posted.shortfall ?? 0, !isOwnEpoch)
    }
    const { taken: amount, shortfall } = takeAvailable(userId, tokenId, charge - chargedBefore)
    const row = { requestId: id, userId, tokenId, channelId, priceId, usage, at, amount, held: 0 }
    if (!posted) post({ id, kind: 'request', ...row })
    else if (amount !== 0) post({ id: -id, kind: 'late', ...row })
    recordShortfall(operation, shortfall)
    writeLog(log, chargedBefore + amount)
    writeAttempts(operation.attempts)
    return settled(chargedBefore + amount, shortfall, true)
  }

  const settle = (epoch: number, operation: SettleOperation) => {
    const { id, channelId, priceId, usage, at } = operation
    const requestId = id
    const hold = closeHold(id)
    if (!hold) return settleLate(epoch, operation)
    const [userId, tokenId, held] = hold
    const isUnbounded = hold[6] !== null
    const { taken, shortfall } = takeAvailable(userId, tokenId, operation.charge - held)
    const amount = held + taken
    const kind = 'request'
    post({ id, kind, requestId, userId, tokenId, channelId, priceId, usage, at, amount, held })
    recordShortfall(operation, shortfall, isUnbounded)
    writeLog(operation.log, amount)
    writeAttempts(operation.attempts)
    const outcome = settled(amount, shortfall, false)
    return shortfall > 0 && isUnbounded ? { ...outcome, isUnbounded: true as const } : outcome
  }

  const voidHold = ({ id, attempts }: VoidOperation): Outcomes['void'] => {
    writeAttempts(attempts)
    const hold = closeHold(id)
    if (!hold) return { ok: true }
    const [userId, tokenId, held] = hold
    changes.release(userId, tokenId, held)
    statements.requests.deleteIdempotencyKey.get(id)
    return { ok: true }
  }

  /** Charges the accrued amount, or releases the hold if it is zero. Only the dead node knew the channel: it is 0. */
  const recover = ({ id, at }: RecoverOperation): Outcomes['recover'] => {
    const hold = closeHold(id)
    if (!hold) return { ok: true }
    const [userId, tokenId, held, accrued, priceId, usage] = hold
    if (accrued === 0) {
      changes.release(userId, tokenId, held)
      statements.requests.deleteIdempotencyKey.get(id)
      return { ok: true }
    }
    const amount = Math.min(accrued, held)
    const kind = 'request'
    const requestId = id
    const channelId = 0
    post({ id, kind, requestId, userId, tokenId, channelId, priceId, usage, at, amount, held })
    return { ok: true }
  }

  return { settle, voidHold, recover }
}
