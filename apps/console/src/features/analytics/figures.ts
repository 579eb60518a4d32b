import type { AnalyticsDay, AnalyticsFigures } from '@hub/contract'

export const measures = ['charged', 'requests', 'tokens', 'latency'] as const
export type Measure = (typeof measures)[number]

type Sums = Pick<
  AnalyticsDay,
  'RequestCount' | 'Quota' | 'PromptTokens' | 'CompletionTokens' | 'RequestTime'
>

export type Row = Sums & { id: number; name: string }

/** Nine colours are no status: eight series have one each, the others one together. */
export const seriesMax = 8

const add = (a: Sums, b: Sums): Sums => ({
  RequestCount: a.RequestCount + b.RequestCount,
  Quota: a.Quota + b.Quota,
  PromptTokens: a.PromptTokens + b.PromptTokens,
  CompletionTokens: a.CompletionTokens + b.CompletionTokens,
  RequestTime: a.RequestTime + b.RequestTime,
})

const none: Sums = {
  RequestCount: 0,
  Quota: 0,
  PromptTokens: 0,
  CompletionTokens: 0,
  RequestTime: 0,
}

export const sumOf = (rows: readonly Sums[]): Sums => rows.reduce(add, none)

/** The sums of each series, the largest charge first and the others (without a name) last. */
export const rowsOf = (days: readonly AnalyticsDay[]): Row[] => {
  const rows = new Map<string, Row>()
  for (const day of days) {
    const key = `${day.Id} ${day.Channel}`
    const before = rows.get(key) ?? { id: day.Id, name: day.Channel, ...none }
    rows.set(key, { ...before, ...add(before, day) })
  }
  return [...rows.values()].toSorted(
    (a, b) =>
      Number(a.name === '') - Number(b.name === '') ||
      b.Quota - a.Quota ||
      b.RequestCount - a.RequestCount,
  )
}

/** Milliseconds of a call on average. Null: there is none with a known time. */
export const latencyOf = ({ RequestCount, RequestTime }: Sums): number | null =>
  RequestCount > 0 && RequestTime > 0 ? RequestTime / RequestCount : null

const amountOf: Record<Exclude<Measure, 'latency'>, (sums: Sums) => number> = {
  charged: ({ Quota }) => Quota,
  requests: ({ RequestCount }) => RequestCount,
  tokens: ({ PromptTokens, CompletionTokens }) => PromptTokens + CompletionTokens,
}

export type ChartSeries = { name: string; data: (number | null)[] }

/** The largest series by day. Those that are not drawn alone are added up under the empty name. */
export const seriesOf = (
  { days, channel_statistics: rows }: AnalyticsFigures,
  measure: Measure,
): ChartSeries[] => {
  const largest = rowsOf(rows)
    .filter(({ name }) => name !== '')
    .slice(0, seriesMax)
  const shown = new Set(largest.map(({ id, name }) => `${id} ${name}`))
  const sums = new Map<string, Map<string, Sums>>()
  for (const row of rows) {
    const key = `${row.Id} ${row.Channel}`
    const series = shown.has(key) ? row.Channel : ''
    const byDay = sums.get(series) ?? new Map<string, Sums>()
    byDay.set(row.Date, add(byDay.get(row.Date) ?? none, row))
    sums.set(series, byDay)
  }
  const names = new Set([...largest.map(({ name }) => name), ...sums.keys()])
  return [...names].map(name => ({
    name,
    data: days.map(day => {
      const figures = sums.get(name)?.get(day)
      if (measure === 'latency') return figures ? latencyOf(figures) : null
      return figures ? amountOf[measure](figures) : 0
    }),
  }))
}
