import {
  ceiling,
  compare,
  type Decimal,
  decimal,
  dividedBy,
  readDecimal,
} from '../../ui/decimal.ts'

export type Direction = 'add' | 'take'
export type QuotaProblem = 'empty' | 'number' | 'small' | 'large' | 'balance'
export type QuotaPlan =
  | { problem: QuotaProblem }
  | { problem?: undefined; points: number; after: number }

const max: Decimal = decimal(Number.MAX_SAFE_INTEGER)

/** What a change of so many dollars would do to a balance. Never below zero, never beyond exact integers. */
export const planQuota = (
  text: string,
  direction: Direction,
  balance: number,
  pointsPerUsd: number,
): QuotaPlan => {
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
  const amount = Number(ceiling(points)) * (direction === 'take' ? -1 : 1)
  const after = balance + amount
  if (after < 0) return { problem: 'balance' }
  if (!Number.isSafeInteger(after)) return { problem: 'large' }
  return { points: amount, after }
}
