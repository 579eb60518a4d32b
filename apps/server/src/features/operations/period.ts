import type { Period } from '@hub/contract'
import { quarterOf } from '../../core/usage/store-sums.ts'
import type { TimeRange } from '../../db/queries/usage-sums.ts'
import { makeCalendar } from '../../lib/time/calendar.ts'

const days: Record<Period, number> = { today: 1, week: 7, month: 30 }
const hourSeconds = 3_600

export type PeriodTimes = {
  current: TimeRange
  /** As many calendar days before, up to the same time of day. */
  previous: TimeRange
  /** The beginnings of the hours of today, or of the days. */
  points: number[]
}

/** Calendar days of the site's time zone that end with today. */
export const timesOf = (period: Period, now: number, timeZone: string): PeriodTimes => {
  const calendar = makeCalendar(timeZone)
  const count = days[period]
  const begins = [calendar.day(now).begin]
  while (begins.length < 2 * count) begins.unshift(calendar.day(begins[0]! - 1).begin)
  const begin = begins[count]!
  const previous = begins[0]!
  const endOfToday = calendar.day(now).end
  return {
    current: { begin, end: now + 1 },
    previous: { begin: previous, end: Math.min(quarterOf(previous + now - begin), begin) },
    points: period === 'today' ? hours(begin, endOfToday) : begins.slice(count),
  }
}

const hours = (begin: number, end: number) =>
  Array.from(
    { length: Math.ceil((end - begin) / hourSeconds) },
    (_, index) => begin + index * hourSeconds,
  )
