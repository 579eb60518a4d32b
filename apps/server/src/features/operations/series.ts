import type { OperationsSeries, Period, SeriesAttribute, SeriesFigure } from '@hub/contract'
import { type App, nowSeconds } from '../../core/app.ts'
import { listNames as listChannelNames } from '../../db/queries/channels.ts'
import { add, noUsage, subtract, type UsageFigures } from '../../db/queries/usage-sums.ts'
import { listNames as listUserNames } from '../../db/queries/users.ts'
import { timesOf } from './period.ts'
import { readPeriodUsage } from './usage.ts'

/** Series with a name of their own; all others are one more. */
const seriesMax = 8

type Question = { period: Period; figure: SeriesFigure; by: SeriesAttribute }

/** One figure of the whole site by time and by an attribute of the calls. */
export const series = async (
  app: App,
  { period, figure, by }: Question,
): Promise<OperationsSeries> => {
  const times = timesOf(period, nowSeconds(app), app.settings().site.TimeZone)
  const usage = await readPeriodUsage(app, period, times)
  const keys = largest(await usage.byKey(by), figure)
  const { current, points } = times
  const buckets = points.map((begin, index) => ({ begin, end: points[index + 1] ?? current.end }))
  const rest = sumByBucket(await usage.all(), points)
  const total = figureIn(sum(rest), figure)
  const named = new Map(keys.map(key => [key, points.map(() => noUsage)]))
  for (const { at, key, ...figures } of keys.length > 0 ? await usage.ofKeys(by, keys) : []) {
    const bucket = bucketOf(at, points)
    const ofKey = named.get(key)!
    ofKey[bucket] = add(ofKey[bucket], figures)
    rest[bucket] = subtract(rest[bucket]!, figures)
  }
  const nameOf = await readNames(app, by, keys)
  const others = sum(rest)
  return {
    ...{ complete: usage.isComplete, buckets, total },
    series: [
      ...[...named].map(([key, sums]) => ({
        ...{ id: hasIds(by) ? Number(key) : 0, name: nameOf(key) },
        ...valuesOf(sums, figure),
      })),
      ...(weightOf(others, figure) > 0 ? [{ id: 0, name: '', ...valuesOf(rest, figure) }] : []),
    ],
  }
}

const hasIds = (by: SeriesAttribute) => by === 'channel' || by === 'user'

/** A sum that begins before the first point has no bucket; ranges exclude it. */
const bucketOf = (at: number, points: readonly number[]): number =>
  points.findLastIndex(begin => begin <= at)

const sumByBucket = (
  rows: readonly (UsageFigures & { at: number })[],
  points: readonly number[],
): UsageFigures[] => {
  const sums = points.map(() => noUsage)
  for (const row of rows) {
    const bucket = bucketOf(row.at, points)
    sums[bucket] = add(sums[bucket], row)
  }
  return sums
}

const sum = (rows: readonly UsageFigures[]): UsageFigures =>
  rows.reduce((total, row) => add(total, row), noUsage)

/** Calls of no channel, and those whose model or group is not known, have no name. */
const isNamed = (key: string) => key !== '' && key !== '0'

/** Equal ones are in the order of their keys, so that each request names the same series. */
const largest = (sums: ReadonlyMap<string, UsageFigures>, figure: SeriesFigure): string[] =>
  [...sums]
    .filter(([key, figures]) => isNamed(key) && weightOf(figures, figure) > 0)
    .toSorted(
      ([keyA, a], [keyB, b]) =>
        weightOf(b, figure) - weightOf(a, figure) ||
        b.requests - a.requests ||
        (keyA < keyB ? -1 : 1),
    )
    .slice(0, seriesMax)
    .map(([key]) => key)

/** Orders the series. Averages of few calls differ by chance, so that durations are shown of the most called. */
const weightOf = (figures: UsageFigures, figure: SeriesFigure): number => {
  if (figure === 'latency') return figures.requests
  return figureIn(figures, figure) ?? 0
}

const figureIn = (figures: UsageFigures, figure: SeriesFigure): number | null => {
  const { requests, request_time } = figures
  switch (figure) {
    case 'charged':
      return figures.quota
    case 'requests':
      return requests
    case 'tokens':
      return figures.prompt_tokens + figures.completion_tokens
    case 'latency':
      return requests > 0 && request_time > 0 ? request_time / requests : null
    case 'errors':
      return figures.failed
  }
}

const valuesOf = (sums: readonly UsageFigures[], figure: SeriesFigure) => ({
  total: figureIn(sum(sums), figure),
  data: sums.map(each => figureIn(each, figure)),
})

const readNames = async (app: App, by: SeriesAttribute, keys: readonly string[]) => {
  if (!hasIds(by) || keys.length === 0) return (key: string) => key
  const list = by === 'user' ? listUserNames : listChannelNames
  const names = new Map((await list(app.db, keys.map(Number))).map(({ id, name }) => [id, name]))
  return (key: string) => names.get(Number(key)) ?? `#${key}`
}
