import { type App, nowSeconds } from '../../core/app.ts'
import { type LogFilter, withUserId } from '../../db/queries/log-filter.ts'
import { findChargedModels } from '../../db/queries/log-models.ts'
import { sumCharged } from '../../db/queries/logs.ts'
import { firstLogTime } from '../../db/queries/usage-logs.ts'
import {
  findZone,
  listStoredDays,
  sumQuotaOfDays,
  type UsageKind,
} from '../../db/queries/usage-sums.ts'
import { makeCalendar } from '../../lib/time/calendar.ts'
import { withWindow } from './window.ts'

/**
 * The points charged for all matching calls. Whole days come from stored sums where the filter has sums, because
 * every visit to the log page asks for this, and a month may have millions of rows.
 */
export const total = async (app: App, filter: LogFilter) => {
  const { since, ...windowed } = await withWindow(app, filter)
  return { quota: await sumOf(app, windowed), since }
}

const sumOf = async (app: App, filter: LogFilter): Promise<number> => {
  const { db } = app
  const search = await withModels(app, await withUserId(db, filter))
  if (search.models?.length === 0) return 0
  const sums = sumsOf(search)
  const days = sums && (await storedDays(app, search))
  if (!days) return sumCharged(db, search)
  const { begins, end } = days
  const [first = end] = begins
  return (
    (await sumCharged(db, { ...search, end_timestamp: first - 1 })) +
    (await sumQuotaOfDays(db, sums.kind, sums.keys, begins)) +
    (await sumCharged(db, { ...search, start_timestamp: end }))
  )
}

/** Replaces a part of a name by the models that have it, unless the user's own index serves the filter. */
const withModels = async ({ db }: App, filter: LogFilter): Promise<LogFilter> => {
  const { model_name, userId, ...others } = filter
  if (!model_name || userId !== undefined) return filter
  const models = await findChargedModels(db, model_name)
  return models ? { ...others, models } : filter
}

type Sums = { kind: UsageKind; keys: readonly string[] }

/** The sums that a filter selects. Undefined: it combines attributes, or has one without sums. */
const sumsOf = (filter: LogFilter): Sums | undefined => {
  const { log_type: _, start_timestamp: __, end_timestamp: ___, ...attributes } = filter
  const count = Object.values(attributes).filter(Boolean).length
  if (count === 0) return { kind: 'all', keys: [''] }
  if (count > 1) return undefined
  const { userId, models, channel_id, group } = filter
  if (userId !== undefined) return { kind: 'user', keys: [String(userId)] }
  if (models) return { kind: 'model', keys: models }
  if (channel_id) return { kind: 'channel', keys: [String(channel_id)] }
  if (group) return { kind: 'group', keys: [group] }
  return undefined
}

/** The stored days in the range of a filter whose logs have not been deleted: where each begins, and the end of the last. */
const storedDays = async (
  app: App,
  { start_timestamp, end_timestamp }: LogFilter,
): Promise<{ begins: number[]; end: number } | undefined> => {
  const zone = app.settings().site.TimeZone
  const oldest = await firstLogTime(app.db)
  // After a change of the time zone the days are stored anew.
  if (oldest === undefined || (await findZone(app.db)) !== zone) return undefined
  const begin = Math.max(oldest, start_timestamp || 0)
  const end = (end_timestamp || nowSeconds(app)) + 1
  const begins = await listStoredDays(app.db, { begin, end })
  const { day } = makeCalendar(zone)
  const last = begins.at(-1)
  if (last !== undefined && day(last).end > end) begins.pop()
  const lastWhole = begins.at(-1)
  return lastWhole === undefined ? undefined : { begins, end: day(lastWhole).end }
}
