import type { Period } from '@hub/contract'
import type { App } from '../../core/app.ts'
import { countLogs } from '../../core/usage/count-logs.ts'
import { readCurrentUsage, type SumAt } from '../../core/usage/current-usage.ts'
import { add, type UsageFigures, type UsageKind } from '../../db/queries/usage-sums.ts'
import { type PeriodTimes, stepSeconds } from './period.ts'

type SumOfAll = UsageFigures & { at: number }

/** The sums of a period. Each has the second at which its step, quarter hour or day begins. */
export type PeriodUsage = {
  /** False while older logs wait to be counted. */
  isComplete: boolean
  all(): Promise<SumOfAll[]>
  /** Sums of the period before this one, which the changes are shown against. */
  before(): Promise<SumOfAll[]>
  byKey(kind: UsageKind): Promise<Map<string, UsageFigures>>
  ofKeys(kind: UsageKind, keys: readonly string[]): Promise<SumAt[]>
}

/** The last hour is read from the logs, since quarter hours are too long for it. Longer periods are read from sums. */
export const readPeriodUsage = (
  app: App,
  period: Period,
  times: PeriodTimes,
): Promise<PeriodUsage> => (period === 'hour' ? readLogs(app, times) : readSums(app, period, times))

const readLogs = async (app: App, { current, previous }: PeriodTimes): Promise<PeriodUsage> => {
  const sums = await countLogs(app.db, current, stepSeconds)
  const of = (kind: UsageKind) => sums.filter(each => each.kind === kind)
  return {
    isComplete: true,
    all: async () => of('all'),
    before: async () => (await readCurrentUsage(app, previous.begin)).quarterHours(previous),
    byKey: async kind => {
      const byKey = new Map<string, UsageFigures>()
      for (const sum of of(kind)) byKey.set(sum.key, add(byKey.get(sum.key), sum))
      return byKey
    },
    ofKeys: async (kind, keys) => of(kind).filter(({ key }) => keys.includes(key)),
  }
}

const readSums = async (
  app: App,
  period: Period,
  { current, previous, points }: PeriodTimes,
): Promise<PeriodUsage> => {
  const usage = await readCurrentUsage(app, current.begin)
  const days = points.map((begin, index) => ({ begin, end: points[index + 1] ?? current.end }))
  const isOfDays = period === 'week' || period === 'month'
  return {
    isComplete: usage.isComplete,
    all: () => usage.quarterHours(current),
    before: () => usage.quarterHours(previous),
    byKey: kind =>
      isOfDays ? usage.daysByKey(kind, current) : usage.quarterHoursByKey(kind, current),
    ofKeys: (kind, keys) =>
      isOfDays ? usage.days(kind, days, keys) : usage.quarterHoursOfKeys(kind, current, keys),
  }
}
