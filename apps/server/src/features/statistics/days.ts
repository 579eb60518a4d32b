import { type QuarterHour, quarterHourSeconds } from '../../db/queries/logs-stats.ts'

const daySeconds = 86_400

/** Names the day a moment belongs to, `YYYY-MM-DD`, in one time zone; empty means the server's. */
export const makeDayFormatter = (timeZone: string): ((seconds: number) => string) => {
  const format = new Intl.DateTimeFormat('en-CA', {
    ...(timeZone && { timeZone }),
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  })
  return seconds => format.format(seconds * 1000)
}

/** The day so many days before a day, by the calendar: a day of a clock change has 23 or 25 hours. */
export const dayBefore = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) - days * daySeconds * 1000).toISOString().slice(0, 10)

export type DayTotal = Omit<QuarterHour, 'quarter'> & { day: string }

/** Quarters of an hour put together to days, in the order of day and model. */
export const totalsByDay = (
  quarters: readonly QuarterHour[],
  dayOf: (seconds: number) => string,
): DayTotal[] => {
  const totals = new Map<string, DayTotal>()
  for (const { quarter, ...figures } of quarters) {
    const day = dayOf(quarter * quarterHourSeconds)
    const key = `${day} ${figures.model}`
    const total = totals.get(key)
    totals.set(key, total ? sum(total, figures) : { day, ...figures })
  }
  return [...totals].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, total]) => total)
}

const sum = (a: DayTotal, b: Omit<QuarterHour, 'quarter'>): DayTotal => ({
  ...a,
  requests: a.requests + b.requests,
  quota: a.quota + b.quota,
  promptTokens: a.promptTokens + b.promptTokens,
  completionTokens: a.completionTokens + b.completionTokens,
  requestTime: a.requestTime + b.requestTime,
})
