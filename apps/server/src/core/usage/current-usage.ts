import { withDeadline } from '../../db/engines/deadline.ts'
import { firstLogTime } from '../../db/queries/usage-logs.ts'
import {
  add,
  daySeconds,
  findLast,
  findZone,
  listByKey,
  listOfKeys,
  listQuarterHours,
  quarterHourSeconds,
  type TimeRange,
  type UsageFigures,
  type UsageKind,
  type UsageSum,
} from '../../db/queries/usage-sums.ts'
import { makeCalendar } from '../../lib/time/calendar.ts'
import { type App, nowSeconds } from '../app.ts'
import { countLogs } from './count-logs.ts'
import { findCountedUntil, quarterOf } from './store-sums.ts'

/** Logs that are read for one view at most, while the job has not stored their sums. */
export const liveSecondsMax = 6 * 3_600

/** `at` is the first second of the day or the quarter hour. */
export type SumAt = UsageFigures & { at: number; key: string }

/** Stored sums up to the last quarter hours, and the logs since. */
export type CurrentUsage = {
  /** False while older logs wait to be counted. */
  isComplete: boolean
  quarterHours(range: TimeRange): Promise<(UsageFigures & { at: number })[]>
  /** `begin` begins a day. */
  daysByKey(kind: UsageKind, range: TimeRange): Promise<Map<string, UsageFigures>>
  /** Returns a row for each day and given key that has calls. The days are consecutive. */
  days(kind: UsageKind, days: readonly TimeRange[], keys: readonly string[]): Promise<SumAt[]>
  /** `begin` is at most 48 hours ago. */
  quarterHoursByKey(kind: UsageKind, range: TimeRange): Promise<Map<string, UsageFigures>>
  /** Each quarter hour of the given keys. `begin` is at most 48 hours ago. */
  quarterHoursOfKeys(kind: UsageKind, range: TimeRange, keys: readonly string[]): Promise<SumAt[]>
}

/** `begin` is the first second of interest and begins a quarter hour. */
export const readCurrentUsage = async (app: App, begin: number): Promise<CurrentUsage> => {
  const { db } = app
  const now = nowSeconds(app)
  const zone = app.settings().site.TimeZone
  const countedUntil = await findCountedUntil(db)
  const oldest = quarterOf(now) - liveSecondsMax
  const liveBegin = Math.max(begin, oldest, countedUntil ?? 0)
  const live = await withDeadline(db, limited =>
    countLogs(limited, { begin: liveBegin, end: now + 1 }),
  )
  const lastDay = await findLast(db, daySeconds)
  const daysEnd = lastDay === undefined ? 0 : makeCalendar(zone).day(lastDay).end
  const isOfZone = countedUntil === undefined || (await findZone(db)) === zone
  const stored = (range: TimeRange) => ({ ...range, end: Math.min(range.end, liveBegin) })

  const quarterHoursByKey = async (kind: UsageKind, range: TimeRange) => {
    const sums = await listByKey(db, kind, quarterHourSeconds, stored(range))
    return sumByKey([...sums, ...live.filter(of(kind, range)).map(keyed)])
  }
  return {
    isComplete: isOfZone && (countedUntil ?? (await firstLogTime(db)) ?? oldest) >= oldest,
    quarterHours: async range => [
      ...(await listQuarterHours(db, stored(range))),
      ...live.filter(of('all', range)),
    ],
    daysByKey: async (kind, range) => {
      const rest = { ...range, begin: Math.max(range.begin, daysEnd) }
      const days = await listByKey(db, kind, daySeconds, range)
      return sumByKey([...days, ...(await quarterHoursByKey(kind, rest))])
    },
    days: async (kind, days, keys) => {
      const keySet = new Set(keys)
      const range = { begin: days[0]?.begin ?? 0, end: days.at(-1)?.end ?? 0 }
      const sums: SumAt[] = await listOfKeys(db, { kind, span: daySeconds }, range, keys)
      for (const day of days.filter(each => each.begin >= daysEnd && each.begin <= now))
        for (const [key, figures] of await quarterHoursByKey(kind, day))
          if (keySet.has(key)) sums.push({ at: day.begin, key, ...figures })
      return sums
    },
    quarterHoursByKey,
    quarterHoursOfKeys: async (kind, range, keys) => {
      const keySet = new Set(keys)
      const span = quarterHourSeconds
      return [
        ...(await listOfKeys(db, { kind, span }, stored(range), keys)),
        ...live.filter(of(kind, range)).filter(({ key }) => keySet.has(key)),
      ]
    },
  }
}

const of =
  (kind: UsageKind, range: TimeRange) =>
  (sum: UsageSum): boolean =>
    sum.kind === kind && sum.at >= range.begin && sum.at < range.end

const keyed = (sum: UsageSum): [string, UsageFigures] => [sum.key, sum]

const sumByKey = (rows: Iterable<[string, UsageFigures]>): Map<string, UsageFigures> => {
  const sums = new Map<string, UsageFigures>()
  for (const [key, figures] of rows) sums.set(key, add(sums.get(key), figures))
  return sums
}
