import { withDeadline } from '../../db/engines/deadline.ts'
import {
  type CostAttribute,
  type CostAttributes,
  type CostFilter,
  type CostSum,
  listCosts,
  noAttributes,
} from '../../db/queries/cost-sums.ts'
import { firstLogTime } from '../../db/queries/usage-logs.ts'
import {
  daySeconds,
  findLast,
  findZone,
  quarterHourSeconds,
  type TimeRange,
} from '../../db/queries/usage-sums.ts'
import { makeCalendar } from '../../lib/time/calendar.ts'
import { type App, nowSeconds } from '../app.ts'
import { countCosts, sumCosts } from './count-costs.ts'
import { liveSecondsMax } from './current-usage.ts'
import { findCountedUntil, quarterOf } from './store-sums.ts'

type CostCriteria = { by: readonly CostAttribute[]; filter: CostFilter }

/** `at` is the first second of the day. Attributes that were not asked for are empty. */
export type CurrentCosts = { isComplete: boolean; rows: CostSum[] }

/** Reads charges and costs of consecutive days: stored sums up to the last quarter hours, and the logs since. */
export const readCurrentCosts = async (
  app: App,
  days: readonly TimeRange[],
  criteria: CostCriteria,
): Promise<CurrentCosts> => {
  const now = nowSeconds(app)
  const begin = days[0]?.begin ?? now
  const end = Math.min(days.at(-1)?.end ?? now, now + 1)
  const zone = app.settings().site.TimeZone
  const countedUntil = await findCountedUntil(app.db)
  const oldest = quarterOf(now) - liveSecondsMax
  const liveBegin = Math.max(begin, oldest, countedUntil ?? 0)
  const lastDay = await findLast(app.db, daySeconds)
  const daysEnd = lastDay === undefined ? 0 : makeCalendar(zone).day(lastDay).end
  const stored = [
    { span: daySeconds, begin, end: Math.min(end, daysEnd) },
    { span: quarterHourSeconds, begin: Math.max(begin, daysEnd), end: Math.min(end, liveBegin) },
  ]
  const sums = await withDeadline(app.db, async db => {
    const found: CostSum[] = []
    for (const range of stored) found.push(...(await listCosts(db, range, criteria)))
    if (liveBegin >= end) return found
    const live = await countCosts(db, { begin: liveBegin, end }, quarterHourSeconds)
    const matching = live.filter(matches(criteria.filter))
    return [...found, ...matching.map(row => onlyBy(row, criteria.by))]
  })
  const isOfZone = countedUntil === undefined || (await findZone(app.db)) === zone
  return {
    isComplete: isOfZone && (countedUntil ?? (await firstLogTime(app.db)) ?? oldest) >= oldest,
    rows: sumCosts(sums.map(row => ({ ...row, at: dayOf(days, row.at) }))),
  }
}

const dayOf = (days: readonly TimeRange[], at: number): number =>
  days.findLast(({ begin }) => begin <= at)?.begin ?? at

const matches = (filter: CostFilter) => (row: CostSum) =>
  Object.entries(filter).every(([name, value]) => row[name as CostAttribute] === value)

const onlyBy = (row: CostSum, by: readonly CostAttribute[]): CostSum => ({
  ...row,
  ...noAttributes,
  ...(Object.fromEntries(by.map(name => [name, row[name]])) as Partial<CostAttributes>),
})
