import { type QuarterHourUsage, quarterHourSeconds } from '../../db/queries/logs-stats.ts'

const daySeconds = 86_400

/** Subtracts calendar days, because a day on which the clock changes has 23 or 25 hours. */
export const dayBefore = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) - days * daySeconds * 1000).toISOString().slice(0, 10)

export type DayTotal = Omit<QuarterHourUsage, 'quarter'> & { day: string }

/** Adds up quarter hours to days, ordered by day and model. */
export const totalsByDay = (
  quarterHours: readonly QuarterHourUsage[],
  dayOf: (seconds: number) => string,
): DayTotal[] => {
  const totals = new Map<string, DayTotal>()
  for (const { quarter, ...figures } of quarterHours) {
    const day = dayOf(quarter * quarterHourSeconds)
    const key = `${day} ${figures.model}`
    const total = totals.get(key)
    totals.set(key, total ? sum(total, figures) : { day, ...figures })
  }
  return [...totals].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, total]) => total)
}

const sum = (a: DayTotal, b: Omit<QuarterHourUsage, 'quarter'>): DayTotal => ({
  ...a,
  requests: a.requests + b.requests,
  quota: a.quota + b.quota,
  promptTokens: a.promptTokens + b.promptTokens,
  completionTokens: a.completionTokens + b.completionTokens,
  requestTime: a.requestTime + b.requestTime,
})
