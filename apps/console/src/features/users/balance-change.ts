import {
  ceiling,
  compare,
  type Decimal,
  decimal,
  dividedBy,
  readDecimal,
} from '../../domain/decimal.ts'

export type Direction = 'add' | 'deduct'
export type AmountProblem = 'empty' | 'number' | 'small' | 'large' | 'balance'
export type BalanceChange =
  | { problem: AmountProblem }
  | { problem?: undefined; points: number; after: number }

const max: Decimal = decimal(Number.MAX_SAFE_INTEGER)

/** The result of adding or deducting dollars; a problem if the balance would be negative or not a safe integer. */
export const planBalanceChange = (
  text: string,
  direction: Direction,
  balance: number,
  pointsPerUsd: number,
): BalanceChange => {
  if (text.trim() === '') return { problem: 'empty' }
  const usd = readDecimal(text)
  if (!usd || usd.units <= 0n) return { problem: 'number' }
  const exact = { units: usd.units * decimal(pointsPerUsd).units, places: usd.places }
  const points = dividedBy(
    exact,
    { units: 10n ** BigInt(decimal(pointsPerUsd).places), places: 0 },
    0,
  )
  if (points.units === 0n) return { problem: 'small' }
  if (compare(points, max) > 0) return { problem: 'large' }
  const amount = Number(ceiling(points)) * (direction === 'deduct' ? -1 : 1)
  const after = balance + amount
  if (after < 0) return { problem: 'balance' }
  if (!Number.isSafeInteger(after)) return { problem: 'large' }
  return { points: amount, after }
}
