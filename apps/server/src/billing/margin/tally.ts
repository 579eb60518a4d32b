import type { MarginFigures } from '@hub/contract'
import type { App } from '../../core/app.ts'
import type { CostFigures } from '../../db/queries/cost-sums.ts'
import {
  type Decimal,
  formatDecimal,
  formatNumber,
  parseDecimal,
  powerOfTen,
} from '../../lib/decimal.ts'
import { formatCost } from '../costs/call-cost.ts'
import { costDigits } from '../costs/cost-terms.ts'
import { type DatedRate, datedRate } from '../costs/exchange-rates.ts'

/** Charges in points, costs in 10⁻¹⁰ USD. */
export type Tally = {
  calls: bigint
  charged: bigint
  unknownCalls: bigint
  unknownCharged: bigint
  cost: bigint
  estimated: bigint
  attempts: bigint
  attemptsCost: bigint
  unknownAttempts: bigint
  /** Costs by currency, in 10⁻¹⁰ of it. */
  unconverted: ReadonlyMap<string, bigint>
}

/** The figures of one currency on one day. An empty currency: their cost is not known. */
type Cell = CostFigures & { currency: string; day: string }

/** Converts costs at the rates of their day, and remembers the rates. */
export const makeConverter = (app: App) => {
  const used = new Map<string, DatedRate>()
  const rateOf = ({ currency, day }: Cell): Decimal | undefined => {
    if (currency === 'USD') return one
    const found = currency === '' ? undefined : datedRate(app, currency, day)
    const rate = found && parseDecimal(found.rate)
    if (!found || !rate || rate.digits <= 0n) return undefined
    used.set(`${currency} ${found.day}`, found)
    return rate
  }
  return {
    used: () => [...used.values()],
    tallyOf(cell: Cell): Tally {
      const { currency, calls, charged, cost, attempts, attempt_cost } = cell
      const rate = rateOf(cell)
      const total = cost + attempt_cost
      if (!rate) {
        const unconverted = new Map(currency === '' ? [] : [[currency, total]])
        return {
          ...{ ...noTally, calls, charged, unknownCalls: calls, unknownCharged: charged },
          ...{ attempts, unknownAttempts: attempts, unconverted },
        }
      }
      const attemptsCost = inUsd(attempt_cost, rate)
      return {
        ...{ ...noTally, calls, charged, attempts, attemptsCost },
        ...{ cost: inUsd(cost, rate) + attemptsCost, estimated: inUsd(cell.estimated, rate) },
      }
    },
  }
}

const one: Decimal = { digits: 1n, scale: 0 }

const inUsd = (units: bigint, { digits, scale }: Decimal): bigint =>
  roundedQuotient(units * powerOfTen(scale), digits)

/** Half up. The divisor is positive. */
const roundedQuotient = (dividend: bigint, divisor: bigint): bigint => {
  const doubled = 2n * dividend + divisor
  const quotient = doubled / (2n * divisor)
  return doubled < 0n && doubled % (2n * divisor) !== 0n ? quotient - 1n : quotient
}

export const noTally: Tally = {
  ...{ calls: 0n, charged: 0n, unknownCalls: 0n, unknownCharged: 0n, cost: 0n, estimated: 0n },
  ...{ attempts: 0n, attemptsCost: 0n, unknownAttempts: 0n, unconverted: new Map() },
}

export const addTally = (a: Tally, b: Tally): Tally => ({
  calls: a.calls + b.calls,
  charged: a.charged + b.charged,
  unknownCalls: a.unknownCalls + b.unknownCalls,
  unknownCharged: a.unknownCharged + b.unknownCharged,
  cost: a.cost + b.cost,
  estimated: a.estimated + b.estimated,
  attempts: a.attempts + b.attempts,
  attemptsCost: a.attemptsCost + b.attemptsCost,
  unknownAttempts: a.unknownAttempts + b.unknownAttempts,
  unconverted: b.unconverted.size === 0 ? a.unconverted : addAmounts(a.unconverted, b.unconverted),
})

const addAmounts = (a: ReadonlyMap<string, bigint>, b: ReadonlyMap<string, bigint>) => {
  const sums = new Map(a)
  for (const [currency, amount] of b) sums.set(currency, (sums.get(currency) ?? 0n) + amount)
  return sums
}

/** Values of a tally in 10⁻¹⁰ USD. Undefined percent: there is no revenue whose cost is known. */
export type Amounts = {
  revenue: bigint
  unknownRevenue: bigint
  margin: bigint
  /** In hundredths of a percent. */
  percent: bigint | undefined
}

export const amountsOf = (tally: Tally, quotaPerUnit: number): Amounts => {
  const perUsd = parseDecimal(formatNumber(quotaPerUnit))!
  const usdOf = (points: bigint) => inUsd(points * powerOfTen(costDigits), perUsd)
  const revenue = usdOf(tally.charged)
  const unknownRevenue = usdOf(tally.unknownCharged)
  const known = revenue - unknownRevenue
  const margin = known - tally.cost
  const percent = known > 0n ? roundedQuotient(margin * 10_000n, known) : undefined
  return { revenue, unknownRevenue, margin, percent }
}

export const figuresOf = (tally: Tally, amounts: Amounts): MarginFigures => ({
  calls: Number(tally.calls),
  revenue: formatCost(amounts.revenue),
  unknown_calls: Number(tally.unknownCalls),
  unknown_revenue: formatCost(amounts.unknownRevenue),
  cost: formatCost(tally.cost),
  estimated_cost: formatCost(tally.estimated),
  attempts: Number(tally.attempts),
  attempts_cost: formatCost(tally.attemptsCost),
  unknown_attempts: Number(tally.unknownAttempts),
  margin: formatCost(amounts.margin),
  margin_percent:
    amounts.percent === undefined ? null : formatDecimal({ digits: amounts.percent, scale: 2 }),
  unconverted: [...tally.unconverted]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([currency, cost]) => ({ currency, cost: formatCost(cost) })),
})
