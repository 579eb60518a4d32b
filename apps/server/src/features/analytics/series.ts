import type { AnalyticsDay, AnalyticsGroup, AnalyticsPeriod } from '@hub/contract'
import type { App } from '../../core/app.ts'
import { chargedFigures } from '../../core/usage/count-logs.ts'
import { readCurrentUsage } from '../../core/usage/current-usage.ts'
import { dayNames, type PeriodDay, rangeOf } from '../../core/usage/period-days.ts'
import { withDeadline } from '../../db/engines/deadline.ts'
import * as channels from '../../db/queries/channels.ts'
import * as owners from '../../db/queries/owners.ts'
import * as prices from '../../db/queries/prices.ts'
import { type ChargedCalls, sumCharges } from '../../db/queries/usage-logs.ts'
import {
  add,
  noUsage,
  subtract,
  type UsageFigures,
  type UsageKind,
} from '../../db/queries/usage-sums.ts'
import * as users from '../../db/queries/users.ts'

/** The series with the largest charges. All others are one more. */
const seriesMax = 20

/** The figures of one day and one key: a model, or the id of a channel or user, or a group. */
type DailyUsage = { day: string; key: string; figures: UsageFigures }
/** The key of the calls that belong to none of the named series. */
const others = ''

type Series = { isComplete: boolean; rows: AnalyticsDay[] }

/** The charged calls of a period by day and series. Without a user they are read from stored sums, else from the logs. */
export const dailySeries = async (
  app: App,
  { group_type: group, user_id: userId }: AnalyticsPeriod,
  days: readonly PeriodDay[],
): Promise<Series> => {
  const seriesOf = await readSeries(app, group)
  const { isComplete, usage } = userId
    ? { isComplete: true, usage: await ofUser(app, userId, kindOf(group), days) }
    : await ofSite(app, kindOf(group), days, seriesOf)
  const sums = sumRows(usage.map(({ key, ...rest }) => ({ ...rest, key: seriesOf(key) })))
  const shown = largest(sums)
  const rows = sumRows(
    sums.map(row => ({ ...row, key: shown.includes(row.key) ? row.key : others })),
  )
  const nameOf = await readNames(app, group, shown)
  return {
    isComplete,
    rows: rows
      .filter(({ figures }) => figures.requests > 0)
      .toSorted((a, b) =>
        a.day < b.day ? -1 : a.day > b.day ? 1 : b.figures.quota - a.figures.quota,
      )
      .map(({ day, key, figures }) => ({
        Date: day,
        Channel: key === others ? '' : nameOf(key),
        Id: hasIds(group) ? Number(key) : 0,
        RequestCount: figures.requests,
        Quota: figures.quota,
        PromptTokens: figures.prompt_tokens,
        CompletionTokens: figures.completion_tokens,
        RequestTime: figures.request_time,
      })),
  }
}

const kindOf = (group: AnalyticsGroup) => (group === 'model_type' ? 'model' : group)
const hasIds = (group: AnalyticsGroup) => group === 'channel' || group === 'user'

/** Returns the series that a key of the sums belongs to. */
const readSeries = async (app: App, group: AnalyticsGroup): Promise<(key: string) => string> => {
  if (hasIds(group)) return key => (key === '0' ? others : key)
  if (group !== 'model_type') return key => key
  const names = new Map((await owners.listAll(app.db)).map(({ id, name }) => [id, name]))
  const priced = new Map((await prices.listAll(app.db)).map(row => [row.model, row.channel_type]))
  const prefixes = [...priced.keys()]
    .filter(model => model.endsWith('*'))
    .toSorted((a, b) => b.length - a.length)
  return model => {
    const prefix = prefixes.find(each => model.startsWith(each.slice(0, -1)))
    const owner = priced.get(model) ?? priced.get(prefix ?? '')
    return (owner === undefined ? undefined : names.get(owner)) ?? others
  }
}

/** Reads the days of the largest series only, and the others as the rest of all calls. */
const ofSite = async (
  app: App,
  kind: UsageKind,
  days: readonly PeriodDay[],
  seriesOf: (key: string) => string,
) => {
  const range = rangeOf(days)
  const current = await readCurrentUsage(app, range.begin)
  const totals = [...(await current.daysByKey(kind, range))]
  const shown = largest(totals.map(([key, figures]) => ({ key: seriesOf(key), figures })))
  const keys = totals.map(([key]) => key).filter(key => shown.includes(seriesOf(key)))
  const named = await current.days(kind, days, keys)
  const all = await current.days('all', days, [''])
  const nameOf = dayNames(days)
  const usage: DailyUsage[] = named.map(({ at, key, ...figures }) => ({
    ...{ day: nameOf(at), key, figures },
  }))
  const namedByDay = new Map(
    sumRows(usage.map(row => ({ ...row, key: '' }))).map(each => [each.day, each.figures]),
  )
  for (const { at, key: _all, ...figures } of all) {
    const day = nameOf(at)
    usage.push({ day, key: others, figures: subtract(figures, namedByDay.get(day)) })
  }
  return { isComplete: current.isComplete, usage }
}

/** Logs are read by this many days, so that other queries need not wait long. */
const daysAtOnce = 7

const ofUser = async (
  app: App,
  userId: number,
  kind: 'model' | 'channel' | 'user' | 'group',
  days: readonly PeriodDay[],
): Promise<DailyUsage[]> => {
  const nameOf = dayNames(days)
  const usage: DailyUsage[] = []
  for (let from = 0; from < days.length; from += daysAtOnce) {
    const range = rangeOf(days.slice(from, from + daysAtOnce))
    const calls = await withDeadline(app.db, db => sumCharges(db, range, { user: userId }))
    const rows = calls.map(each => ({
      day: nameOf(each.at),
      key: keyOf[kind](each),
      figures: { ...noUsage, ...chargedFigures(each) },
    }))
    usage.push(...sumRows(rows))
  }
  return usage
}

const keyOf = {
  model: ({ model }: ChargedCalls) => model,
  channel: ({ channelId }: ChargedCalls) => String(channelId),
  user: ({ userId }: ChargedCalls) => String(userId),
  group: ({ group }: ChargedCalls) => group,
}

/** Adds rows of the same day and key up. */
const sumRows = (rows: readonly DailyUsage[]): DailyUsage[] => {
  const sums = new Map<string, DailyUsage>()
  for (const { day, key, figures } of rows) {
    const name = `${day} ${key}`
    sums.set(name, { day, key, figures: add(sums.get(name)?.figures, figures) })
  }
  return [...sums.values()]
}

/** The keys with the largest charges, then the most calls. */
const largest = (rows: readonly { key: string; figures: UsageFigures }[]): string[] => {
  const sums = new Map<string, UsageFigures>()
  for (const { key, figures } of rows)
    if (key !== others) sums.set(key, add(sums.get(key), figures))
  return [...sums]
    .toSorted(([, a], [, b]) => b.quota - a.quota || b.requests - a.requests)
    .slice(0, seriesMax)
    .map(([key]) => key)
}

/** Returns the name of a key. A user or channel that was deleted for good has its id. */
const readNames = async (app: App, group: AnalyticsGroup, keys: readonly string[]) => {
  if (!hasIds(group) || keys.length === 0) return (key: string) => key
  const list = group === 'user' ? users.listNames : channels.listNames
  const found = await list(app.db, keys.map(Number))
  const names = new Map(found.map(({ id, name }) => [String(id), name]))
  return (key: string) => names.get(key) ?? `#${key}`
}
