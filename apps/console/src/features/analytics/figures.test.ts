import type { AnalyticsDay } from '@hub/contract'
import { expect, it } from 'vitest'
import { latencyOf, rowsOf, seriesMax, seriesOf } from './figures.ts'

const row = (day: string, Channel: string, Quota: number, more = {}): AnalyticsDay => ({
  ...{ Date: day, Channel, Id: 0, RequestCount: 2, Quota, PromptTokens: 10, CompletionTokens: 5 },
  ...{ RequestTime: 3_000, ...more },
})

const figures = (rows: AnalyticsDay[], days = ['2026-03-01', '2026-03-02']) => ({
  ...{ days, complete: true, channel_statistics: rows },
  ...{ user_statistics: [], redemption_statistics: [], order_statistics: [] },
})

it('series have a value for each day, the largest first, and zeros where there are no calls', () => {
  const rows = [row('2026-03-01', 'small', 5), row('2026-03-02', 'large', 50)]
  expect(seriesOf(figures(rows), 'charged')).toEqual([
    { name: 'large', data: [0, 50] },
    { name: 'small', data: [5, 0] },
  ])
  expect(seriesOf(figures(rows), 'tokens')[0]).toEqual({ name: 'large', data: [0, 15] })
})

it('what has no colour of its own is one series together, the last, and no point is lost', () => {
  const many = Array.from({ length: 12 }, (_, index) => row('2026-03-01', `m${index}`, index + 1))
  const series = seriesOf(figures([...many, row('2026-03-02', '', 7)]), 'charged')
  expect(series).toHaveLength(seriesMax + 1)
  expect(series.at(-1)).toEqual({ name: '', data: [1 + 2 + 3 + 4, 7] })
  const total = series
    .flatMap(({ data }) => data)
    .reduce<number>((sum, value) => sum + (value ?? 0), 0)
  expect(total).toBe(78 + 7)
})

it('a day without known times is a gap in the times, not a call of zero milliseconds', () => {
  const rows = [row('2026-03-01', 'm', 5), row('2026-03-02', 'm', 5, { RequestTime: 0 })]
  expect(seriesOf(figures(rows), 'latency')).toEqual([{ name: 'm', data: [1_500, null] }])
  expect(latencyOf(row('2026-03-01', 'm', 5, { RequestCount: 0 }))).toBeNull()
})

it('channels of the same name stay apart in the sums, and the others come last', () => {
  const rows = [
    row('2026-03-01', '', 900),
    row('2026-03-01', 'main', 5, { Id: 1 }),
    row('2026-03-02', 'main', 6, { Id: 2 }),
    row('2026-03-02', 'main', 7, { Id: 1 }),
  ]
  expect(rowsOf(rows).map(({ id, name, Quota }) => [id, name, Quota])).toEqual([
    [1, 'main', 12],
    [2, 'main', 6],
    [0, '', 900],
  ])
})
