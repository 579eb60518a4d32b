import type { App } from '../../core/app.ts'
import { findMonth } from '../../db/queries/invoices.ts'
import { makeCalendar, makeDayFormatter, type TimeWindow } from '../../lib/time/calendar.ts'

const daySeconds = 86_400

/** A month of the time zone of the site. */
export type InvoiceMonth = { month: string; timeZone: string; window: TimeWindow }

/** The month in which a second lies. */
export const monthAt = (timeZone: string, seconds: number): InvoiceMonth => ({
  month: makeDayFormatter(timeZone)(seconds).slice(0, 7),
  timeZone,
  window: makeCalendar(timeZone).month(seconds),
})

export const monthBefore = (timeZone: string, seconds: number): InvoiceMonth =>
  monthAt(timeZone, makeCalendar(timeZone).month(seconds).begin - 1)

/** The month of a date, `YYYY-MM-DD`. Its middle lies in it in every time zone. */
export const monthOfDate = (timeZone: string, date: string): InvoiceMonth =>
  monthAt(timeZone, Date.parse(`${date.slice(0, 7)}-15T00:00:00Z`) / 1000)

/**
 * The range of postings of a month: the stored one if the month was made before. Otherwise it begins where the month before
 * ended, so that each posting is in one invoice also if the time zone has changed.
 */
export const postingsOf = async (
  app: App,
  { month, window }: InvoiceMonth,
): Promise<TimeWindow> => {
  const made = await findMonth(app.db, month)
  if (made) return { begin: made.begins_at, end: made.ends_at }
  const before = new Date(Date.parse(`${month}-01T00:00:00Z`) - daySeconds * 1000)
  const previous = await findMonth(app.db, before.toISOString().slice(0, 7))
  return { begin: previous?.ends_at ?? window.begin, end: window.end }
}
