import type { Database } from '../../db/index.ts'
import {
  addCosts,
  type CostSum,
  noCosts,
  sumAttemptCosts,
  sumLoggedCosts,
} from '../../db/queries/cost-sums.ts'
import { groupIn, listRecovered } from '../../db/queries/usage-logs.ts'
import type { TimeRange } from '../../db/queries/usage-sums.ts'

/** Sums charges and costs of a time out of logs, attempts, and the postings of calls without a log row. */
export const countCosts = async (
  db: Database,
  range: TimeRange,
  step: number,
): Promise<CostSum[]> => {
  const sums: CostSum[] = []
  for (const { steps, start, ...row } of await sumLoggedCosts(db, range, step))
    sums.push({
      ...{ ...noCosts, ...row, at: steps * step, group_name: groupIn(start) },
      ...{ calls: BigInt(row.calls), charged: BigInt(row.charged) },
      ...known(row, { cost: BigInt(row.cost), estimated: BigInt(row.estimated) }),
    })
  for (const { steps, ...row } of await sumAttemptCosts(db, range, step))
    sums.push({
      ...{ ...noCosts, ...row, at: steps * step, attempts: BigInt(row.attempts) },
      ...known(row, { attempt_cost: BigInt(row.attempt_cost) }),
    })
  for (const { at, userId, quota } of await listRecovered(db, range, { user: undefined, step }))
    sums.push({
      ...{ ...noCosts, at, currency: '', channel_id: 0, model: '', user_id: userId },
      ...{ group_name: '', token_name: '', calls: 1n, charged: BigInt(quota) },
    })
  return sumCosts(sums)
}

/** Adds up sums of the same time, attributes and currency. */
export const sumCosts = (rows: readonly CostSum[]): CostSum[] => {
  const sums = new Map<string, CostSum>()
  for (const row of rows) {
    const { at, channel_id, model, user_id, group_name, token_name, currency } = row
    const attributes = { at, channel_id, model, user_id, group_name, token_name, currency }
    const name = JSON.stringify(Object.values(attributes))
    sums.set(name, { ...attributes, ...addCosts(sums.get(name) ?? noCosts, row) })
  }
  return [...sums.values()]
}

/** An amount whose currency is not known yet counts as unknown. */
const known = <T extends Record<string, bigint>>(
  { currency }: { currency: string },
  costs: T,
): T =>
  currency === '' ? (Object.fromEntries(Object.keys(costs).map(key => [key, 0n])) as T) : costs
