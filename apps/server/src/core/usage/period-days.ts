import type { TimeRange } from '../../db/queries/usage-sums.ts'
import { makeCalendar, makeDayFormatter } from '../../lib/time/calendar.ts'

export type PeriodDay = TimeRange & { name: string }

/** The whole days of the site's time zone from the day of one second to that of another. */
export const daysOf = (first: number, last: number, timeZone: string): PeriodDay[] => {
  const calendar = makeCalendar(timeZone)
  const nameOf = makeDayFormatter(timeZone)
  const days: PeriodDay[] = []
  for (let at = first; at <= last; at = days.at(-1)!.end) {
    const { begin, end } = calendar.day(at)
    days.push({ begin, end, name: nameOf(begin) })
  }
  return days
}

/** The seconds of the days that a user named, `YYYY-MM-DD`, in a time zone. */
export const namedDays = (first: string, last: string, timeZone: string): PeriodDay[] => {
  const nameOf = makeDayFormatter(timeZone)
  const hours = 3_600
  // Noon in UTC lies within half a day of the day of every time zone; the names decide.
  const noonOf = (day: string) => Date.parse(`${day}T12:00:00Z`) / 1000
  return daysOf(noonOf(first) - 24 * hours, noonOf(last) + 24 * hours, timeZone).filter(
    ({ begin }) => nameOf(begin) >= first && nameOf(begin) <= last,
  )
}

/** The range of consecutive days. */
export const rangeOf = (days: readonly PeriodDay[]): TimeRange => ({
  begin: days[0]?.begin ?? 0,
  end: days.at(-1)?.end ?? 0,
})

/** Finds the name of the day that a second of the given days belongs to. */
export const dayNames = (days: readonly PeriodDay[]) => {
  const sorted = days.toSorted((a, b) => a.begin - b.begin)
  return (at: number): string => sorted.findLast(({ begin }) => begin <= at)?.name ?? ''
}
