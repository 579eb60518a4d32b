import type { Period } from '@hub/contract'
import { quarterOf } from '../../core/usage/store-sums.ts'
import type { TimeRange } from '../../db/queries/usage-sums.ts'
import { makeCalendar } from '../../lib/time/calendar.ts'

const hourSeconds = 3_600
/** Seconds between two points of the last hour. */
export const stepSeconds = 120

export type PeriodTimes = {
  current: TimeRange
  /** As long before, up to the same quarter of an hour. */
  previous: TimeRange
  /** The beginnings of the steps, hours or days. */
  points: number[]
}

/** The time up to now, and the points that part it. */
export const timesOf = (period: Period, now: number, timeZone: string): PeriodTimes => {
  switch (period) {
    case 'hour':
      return lastHour(now)
    case 'day':
      return lastDay(now, timeZone)
    case 'today':
      return calendarDays(1, now, timeZone)
    case 'week':
      return calendarDays(7, now, timeZone)
    case 'month':
      return calendarDays(30, now, timeZone)
  }
}

/** The previous hour is that of stored quarter hours. */
const lastHour = (now: number): PeriodTimes => {
  const begin = now - (now % stepSeconds) - hourSeconds + stepSeconds
  const end = quarterOf(begin)
  return {
    current: { begin, end: now + 1 },
    previous: { begin: end - hourSeconds, end },
    points: beginnings(begin, now + 1, stepSeconds),
  }
}

/** Hours begin as those of the day do, which is not at a full hour of UTC in every time zone. */
const lastDay = (now: number, timeZone: string): PeriodTimes => {
  const midnight = makeCalendar(timeZone).day(now).begin
  const begin = now - ((now - midnight) % hourSeconds) - 23 * hourSeconds
  const previous = begin - 24 * hourSeconds
  return {
    current: { begin, end: now + 1 },
    previous: { begin: previous, end: quarterOf(previous + now - begin) },
    points: beginnings(begin, now + 1, hourSeconds),
  }
}

/** Calendar days of the site's time zone that end with today. */
const calendarDays = (count: number, now: number, timeZone: string): PeriodTimes => {
  const calendar = makeCalendar(timeZone)
  const begins = [calendar.day(now).begin]
  while (begins.length < 2 * count) begins.unshift(calendar.day(begins[0]! - 1).begin)
  const begin = begins[count]!
  const previous = begins[0]!
  const endOfToday = calendar.day(now).end
  return {
    current: { begin, end: now + 1 },
    previous: { begin: previous, end: Math.min(quarterOf(previous + now - begin), begin) },
    points: count === 1 ? beginnings(begin, endOfToday, hourSeconds) : begins.slice(count),
  }
}

const beginnings = (begin: number, end: number, step: number) =>
  Array.from({ length: Math.ceil((end - begin) / step) }, (_, index) => begin + index * step)
