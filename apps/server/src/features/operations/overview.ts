import type { OperationsOverview, Period, TopRow, UsageTotals } from '@hub/contract'
import { type App, nowSeconds } from '../../core/app.ts'
import { withDeadline } from '../../db/engines/deadline.ts'
import { listNames as listChannelNames } from '../../db/queries/channels.ts'
import { listLatestDurations, sumCredited } from '../../db/queries/usage-logs.ts'
import { add, noUsage, type UsageFigures } from '../../db/queries/usage-sums.ts'
import { countCreated, listNames as listUserNames } from '../../db/queries/users.ts'
import { timesOf } from './period.ts'
import { readPeriodUsage } from './usage.ts'

const topRows = 8
/** Postings that give users points which the operator sold. */
const creditKinds = ['redemption', 'order']

export const overview = async (app: App, period: Period): Promise<OperationsOverview> => {
  const { db } = app
  const { site, logs } = app.settings()
  const times = timesOf(period, nowSeconds(app), site.TimeZone)
  const { current, previous, points } = times
  const usage = await readPeriodUsage(app, period, times)
  const all = await usage.all()
  const models = await usage.byKey('model')
  const users = await usage.byKey('user')
  const channels = await usage.byKey('channel')
  const groups = await usage.byKey('group')
  return {
    current,
    previous,
    complete: usage.isComplete,
    logging: logs.LogConsumeEnabled,
    totals: totalsOf(all),
    previous_totals: totalsOf(await usage.before()),
    active_users: users.size,
    new_users: await countCreated(db, current),
    credited: await sumCredited(db, creditKinds, current),
    latency: await readLatency(app, current.begin),
    points: points.map((begin, index) => {
      const end = points[index + 1] ?? current.end
      const { charged, requests, failed } = totalsOf(
        all.filter(({ at }) => at >= begin && at < end),
      )
      return { begin, charged, requests, failed }
    }),
    models: top(models).map(([name, figures]) => ({ id: 0, name, ...shownFigures(figures) })),
    users: await withNames(top(users), ids => listUserNames(db, ids)),
    channels: await withNames(top(channels), ids => listChannelNames(db, ids)),
    groups: top(groups).map(([name, figures]) => ({ id: 0, name, ...shownFigures(figures) })),
  }
}

const totalsOf = (rows: readonly UsageFigures[]): UsageTotals => {
  const sums = rows.reduce<UsageFigures>((sum, row) => add(sum, row), noUsage)
  const { quota: charged, request_time: _milliseconds, ...figures } = sums
  return { charged, ...figures }
}

const top = (sums: ReadonlyMap<string, UsageFigures>) =>
  [...sums]
    .toSorted(([, a], [, b]) => b.quota - a.quota || b.requests - a.requests)
    .filter(([, { requests }]) => requests > 0)
    .slice(0, topRows)

const shownFigures = ({ quota, requests, failed }: UsageFigures) => ({
  ...{ charged: quota, requests, failed },
})

const withNames = async (
  rows: [string, UsageFigures][],
  find: (ids: number[]) => Promise<{ id: number; name: string }[]>,
): Promise<TopRow[]> => {
  const found = rows.length > 0 ? await find(rows.map(([id]) => Number(id))) : []
  const names = new Map(found.map(({ id, name }) => [id, name]))
  return rows.map(([key, figures]) => {
    const id = Number(key)
    return { id, name: names.get(id) ?? '', ...shownFigures(figures) }
  })
}

/** Medians need every value, so that they are of the latest calls only. */
const latencyCallsMax = 1_000

const readLatency = async (app: App, since: number): Promise<OperationsOverview['latency']> => {
  const calls = await withDeadline(app.db, db => listLatestDurations(db, since, latencyCallsMax))
  const firstBytes = calls.map(({ metadata }) => JSON.parse(metadata).first_response)
  return {
    calls: calls.length,
    // Logs that were imported have no time of the first byte, and other bodies than streams may have 0.
    first_byte: median(firstBytes.filter(value => typeof value === 'number' && value > 0)),
    duration: median(calls.map(({ milliseconds }) => milliseconds)),
  }
}

/** The lower one of two middle values, so that it is a value that occurred. */
export const median = (values: readonly number[]): number | null =>
  values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) / 2)] ?? null
