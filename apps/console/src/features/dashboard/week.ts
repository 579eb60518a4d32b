import type { DailyModelUsage } from '@hub/contract'

export type DayTotals = { date: string; requests: number; quota: number; tokens: number }
export type Week = { days: DayTotals[]; models: { label: string; data: number[] }[] }

const emptyDay = (date: string): DayTotals => ({ date, requests: 0, quota: 0, tokens: 0 })

/** The seven days that end with today; days without calls have zeros. */
export const weekOf = (rows: readonly DailyModelUsage[], today: string): Week => {
  const dates = datesUntil(today, 7)
  const days = dates.map(date =>
    rows
      .filter(row => row.Date.slice(0, 10) === date)
      .reduce(
        (sum, row) => ({
          date,
          requests: sum.requests + row.RequestCount,
          quota: sum.quota + row.Quota,
          tokens: sum.tokens + row.PromptTokens + row.CompletionTokens,
        }),
        emptyDay(date),
      ),
  )
  const names = [...new Set(rows.map(row => row.ModelName))].filter(Boolean)
  const spent = (name: string, date: string) =>
    rows
      .filter(row => row.ModelName === name && row.Date.slice(0, 10) === date)
      .reduce((sum, row) => sum + row.Quota, 0)
  const models = names
    .map(label => ({ label, data: dates.map(date => spent(label, date)) }))
    .filter(each => each.data.some(value => value > 0))
    .toSorted((a, b) => total(b.data) - total(a.data))
  return { days, models }
}

export const total = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0)

const datesUntil = (today: string, count: number): string[] => {
  const end = Date.parse(`${today}T00:00:00Z`)
  return Array.from({ length: count }, (_, index) =>
    new Date(end - (count - 1 - index) * 86_400_000).toISOString().slice(0, 10),
  )
}

/** Change from yesterday in percent; from zero to any amount counts as 100. */
export const changeOf = (today: number, yesterday: number): number => {
  if (yesterday === 0) return today === 0 ? 0 : 100
  return Math.round(((today - yesterday) / yesterday) * 100)
}
