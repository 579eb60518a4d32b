import type { App } from '../../core/app.ts'
import { appScoped } from '../../core/app-scoped.ts'
import {
  findOrCreateMark,
  findSpending,
  type LimitOwner,
  sumPostedSince,
} from '../../db/queries/limits.ts'
import { makeLru } from '../../lib/lru.ts'
import { type Calendar, makeCalendar, type TimeWindow } from '../../lib/time/calendar.ts'
import type { Seed } from '../../state/index.ts'

const marksMax = 100_000

/** The name under which an owner's spending is stored. */
export const nameOf = (owner: LimitOwner): string =>
  'tokenId' in owner ? `token:${owner.tokenId}` : `user:${owner.userId}`

const calendar = appScoped(app => {
  let cached: { zone: string; calendar: Calendar } | undefined
  return (): Calendar => {
    const zone = app.settings().site.TimeZone
    if (cached?.zone !== zone) cached = { zone, calendar: makeCalendar(zone) }
    return cached.calendar
  }
})

/** The current day or month in the time zone of the site. */
export const windowOf = (app: App, kind: 'day' | 'month'): TimeWindow =>
  calendar(app)()[kind](Math.floor(app.now() / 1000))

const marks = appScoped(() => makeLru<string, number>(marksMax))

/** The ledger's counter at the beginning of the window, which is subtracted from its current value. */
const usedBefore = async (app: App, owner: LimitOwner, kind: 'day' | 'month', since: number) => {
  const name = nameOf(owner)
  const key = `${name} ${kind}:${since}`
  const known = marks(app).get(key)
  if (known !== undefined) return known
  const used = await findOrCreateMark(app.callDb, { owner, name, window: kind, since })
  marks(app).set(key, used)
  return used
}

/** Points that an owner has spent in the window according to the ledger, and points held for it now. */
export const spentIn = async (
  app: App,
  owner: LimitOwner,
  kind: 'day' | 'month',
  since: number,
): Promise<Seed> => {
  const before = await usedBefore(app, owner, kind, since)
  const { used, held } = await findSpending(app.callDb, owner)
  return { used: Math.max(0, used - before), running: held }
}

/** Charged calls since a time, from which a lost request count is restored. */
export const callsSince = async (app: App, owner: LimitOwner, since: number): Promise<Seed> => {
  const { lastAt } = await findSpending(app.callDb, owner)
  const calls = lastAt < since ? 0 : (await sumPostedSince(app.callDb, owner, since)).calls
  return { used: calls, running: 0 }
}
