import { type App, nowSeconds } from '../../core/app.ts'
import { emit } from '../../core/notifications/emit.ts'
import { administrators } from '../../db/queries/notification-targets.ts'
import { daySeconds, listByKey, quarterHourSeconds } from '../../db/queries/usage-sums.ts'
import * as users from '../../db/queries/users.ts'
import { makeCalendar } from '../../lib/time/calendar.ts'

const historyDays = 14
/** A median of fewer days with spend says nothing. */
const historyDaysMin = 3
/** Smaller sums of a day are never unusual. */
const usdMin = 1

/** Reports each user whose spend of the day is above a multiple of the median of the days before, once a day. */
export const reportUnusualSpend = async (app: App): Promise<void> => {
  const { UnusualSpendFactor: factor } = app.settings().mail
  if (factor === 0) return
  const { TimeZone, QuotaPerUnit } = app.settings().site
  const now = nowSeconds(app)
  const day = makeCalendar(TimeZone).day(now)
  const today = await listByKey(app.db, 'user', quarterHourSeconds, { begin: day.begin, end: now })
  const spenders = today.filter(([, { quota }]) => quota >= usdMin * QuotaPerUnit)
  if (spenders.length === 0) return
  const history = await listHistory(app, day.begin)
  for (const [key, { quota }] of spenders) {
    const days = history.get(key) ?? []
    const median = medianOf(days)
    if (days.length < historyDaysMin || quota <= median * factor) continue
    await report(app, Number(key), day.begin, quota / QuotaPerUnit, median / QuotaPerUnit)
  }
}

/** The spend of each day with any, by user. */
const listHistory = async (app: App, end: number): Promise<Map<string, number[]>> => {
  const history = new Map<string, number[]>()
  const calendar = makeCalendar(app.settings().site.TimeZone)
  let day = calendar.day(end - 1)
  for (let n = 0; n < historyDays; n += 1) {
    for (const [key, { quota }] of await listByKey(app.db, 'user', daySeconds, day))
      if (quota > 0) history.set(key, [...(history.get(key) ?? []), quota])
    day = calendar.day(day.begin - 1)
  }
  return history
}

const medianOf = (values: readonly number[]): number => {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1
    ? (sorted[middle] ?? 0)
    : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2
}

const report = async (app: App, userId: number, day: number, usd: number, median: number) => {
  const user = await users.find(app.db, userId)
  await emit(app, app.db, {
    event: 'spend.unusual',
    key: `spend.unusual:${userId}:${day}`,
    userIds: [administrators, userId],
    facts: {
      user: user?.username ?? `#${userId}`,
      usd: usd.toFixed(2),
      median: median.toFixed(2),
    },
  })
}
