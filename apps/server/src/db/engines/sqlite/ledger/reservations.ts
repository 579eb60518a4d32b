import type { HoldOperation, HoldRefusal } from '../../../operations.ts'
import type { Statements } from './statements.ts'

/** `available` is what is neither spent nor held. */
type Available = { available: number; held: number }
export type TokenLimitsRow = Available & { status: number; expires_at: number }
export type AccountRow = Available & { frozen: number }

/** An amount to reserve on one token, for one or several holds; `at` is the time of the latest. */
type Reservation = { userId: number; tokenId: number; amount: number; at: number }

/** The reason of a refusal, and the points of the holds that stand in the way. */
type Refused = { why: HoldRefusal; held?: number }

/** Reserves points on a token and on the account of its user. Each guard is part of its statement. */
export const makeReservations = ({ tokens, accounts }: Statements) => {
  const reserveToken = ({ userId, tokenId, amount, at }: Reservation): boolean =>
    tokens.reserve.run(amount, tokenId, userId, at).changes === 1

  const reserveAccount = (userId: number, amount: number): boolean =>
    accounts.reserve.run(amount, userId).changes === 1

  /** Other holds are named only where nothing else is in the way. */
  const explainRefusal = ({ userId, tokenId, amount, at }: Reservation): Refused => {
    const token = tokens.find.get(tokenId, userId) as TokenLimitsRow | undefined
    if (token?.status !== 1) return { why: 'token-disabled' }
    if (token.expires_at !== -1 && token.expires_at <= at) return { why: 'token-expired' }
    if (token.available + token.held < amount) return { why: 'token-exhausted' }
    const account = accounts.find.get(userId) as AccountRow | undefined
    if (account?.frozen === 1) return { why: 'frozen' }
    if (!account || account.available + account.held < amount) return { why: 'balance' }
    return { why: 'held', held: token.available < amount ? token.held : account.held }
  }

  /** Reserves one hold. The reason is looked up only after a refusal. */
  const reserve = (reservation: Reservation): Refused | undefined => {
    const { userId, tokenId, amount } = reservation
    if (!reserveToken(reservation)) return explainRefusal(reservation)
    if (reserveAccount(userId, amount)) return
    tokens.release.get(amount, tokenId)
    return explainRefusal(reservation)
  }

  /** Reserves all holds of a user or none: one statement per token, and one for the account. */
  const reserveTogether = (holds: readonly HoldOperation[]): boolean => {
    const { userId } = holds[0]!
    const reservations = sumByToken(holds)
    let total = 0
    for (const { amount } of reservations) total += amount
    // No balance covers such a sum, and no column can store it.
    if (!Number.isSafeInteger(total)) return false
    let reserved = 0
    while (reserved < reservations.length && reserveToken(reservations[reserved]!)) reserved++
    if (reserved === reservations.length && reserveAccount(userId, total)) return true
    for (const { amount, tokenId } of reservations.slice(0, reserved))
      tokens.release.get(amount, tokenId)
    return false
  }

  return { reserve, reserveTogether, explainRefusal }
}

const sumByToken = (holds: readonly HoldOperation[]): Reservation[] => {
  const sums = new Map<number, Reservation>()
  for (const { userId, tokenId, amount, at } of holds) {
    const sum = sums.get(tokenId)
    if (sum) {
      sum.amount += amount
      sum.at = Math.max(sum.at, at)
    } else sums.set(tokenId, { userId, tokenId, amount, at })
  }
  return [...sums.values()]
}
