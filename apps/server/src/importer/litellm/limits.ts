import type { SourceRow } from '../sources/source-database.ts'
import { decimalOf, integerOf, textOf } from '../sources/values.ts'

/** Converts USD of the source into points, to the nearest one. */
export const pointsOf = (usd: number, pointsPerUsd: number): number =>
  Math.round(usd * pointsPerUsd)

const isSet = (row: SourceRow, column: string): boolean => textOf(row, column) !== ''

/** More points are not counted exactly with those that are added later. */
const pointsMax = 4_000_000_000_000_000
const moneyColumns = ['max_budget', 'spend', 'total_spend']

/** PostgreSQL stores NaN and Infinity, too. A row with such an amount has nothing left, and says so. */
export const withReadableMoney = (
  row: SourceRow,
  pointsPerUsd: number,
): { row: SourceRow; notes: string[] } => {
  const wrong = moneyColumns.filter(each => {
    const text = textOf(row, each)
    return text !== '' && !(Math.abs(pointsOf(Number(text), pointsPerUsd)) <= pointsMax)
  })
  if (wrong.length === 0) return { row, notes: [] }
  const nothing = Object.fromEntries(moneyColumns.map(each => [each, '0']))
  return {
    row: { ...row, ...nothing, budget_duration: null },
    notes: wrong.map(
      each => `\`${each}\` is ${textOf(row, each)}, which is no amount: nothing is left here`,
    ),
  }
}

/** A row with the limits of its budget where it has none of its own, as LiteLLM reads them. */
export const withBudget = (row: SourceRow, budgets: ReadonlyMap<string, SourceRow>): SourceRow => {
  const budget = budgets.get(textOf(row, 'budget_id'))
  if (budget === undefined) return row
  const own = ['max_budget', 'budget_duration', 'tpm_limit', 'rpm_limit', 'max_parallel_requests']
  return {
    ...row,
    ...Object.fromEntries(
      own.filter(each => !isSet(row, each)).map(each => [each, budget[each] ?? null]),
    ),
  }
}

/** Requests and tokens per minute and concurrent requests; a limit of 0 allows nothing and is reported as such. */
export const rateLimitsOf = (row: SourceRow) => {
  const read = (column: string) => (integerOf(row, column) > 0 ? integerOf(row, column) : null)
  return {
    api_rate: read('rpm_limit'),
    tokens_per_minute: read('tpm_limit'),
    concurrent_requests: read('max_parallel_requests'),
    allowsNothing: ['rpm_limit', 'tpm_limit', 'max_parallel_requests'].some(
      each => isSet(row, each) && integerOf(row, each) <= 0,
    ),
  }
}

/** Undefined: unlimited. */
export const budgetOf = (row: SourceRow): number | undefined =>
  isSet(row, 'max_budget') ? decimalOf(row, 'max_budget') : undefined

const periods: Record<string, 'quota_per_day' | 'quota_per_month'> = {
  '1d': 'quota_per_day',
  '24h': 'quota_per_day',
  '30d': 'quota_per_month',
  '1mo': 'quota_per_month',
}

/** The limit here of a budget that is renewed. Undefined: there is none for this period. */
export const periodOf = (duration: string) => periods[duration]
