import type { App } from '../../core/app.ts'
import { perApp } from '../../core/per-app.ts'
import { findSpent, markOf, type Owner, postedSince } from '../../db/queries/limits.ts'
import { type Calendar, makeCalendar, type Window } from '../../lib/calendar.ts'
import { makeLru } from '../../lib/lru.ts'
import type { Seed } from '../../state/index.ts'

const marksMax = 100_000

export const nameOf = (owner: Owner): string =>
  'tokenId' in owner ? `token:${owner.tokenId}` : `user:${owner.userId}`

const calendar = perApp(app => {
  let made: { zone: string; calendar: Calendar } | undefined
  return (): Calendar => {
    const zone = app.settings().site.TimeZone
    if (made?.zone !== zone) made = { zone, calendar: makeCalendar(zone) }
    return made.calendar
  }
})

/** The day or the month of now, in the time zone of the site. */
export const windowOf = (app: App, kind: 'day' | 'month'): Window =>
  calendar(app)()[kind](Math.floor(app.now() / 1000))

const marks = perApp(() => makeLru<string, number>(marksMax))

/** Fixed for as long as the window lasts: what follows is the ledger's own counter less this. */
const usedBefore = async (app: App, owner: Owner, kind: 'day' | 'month', since: number) => {
  const name = nameOf(owner)
  const place = `${name} ${kind}:${since}`
  const known = marks(app).get(place)
  if (known !== undefined) return known
  const used = await markOf(app.db, { owner, name, window: kind, since })
  marks(app).set(place, used)
  return used
}

/** What an owner has spent in the window by the ledger, and what is held for it now. */
export const spentIn = async (
  app: App,
  owner: Owner,
  kind: 'day' | 'month',
  since: number,
): Promise<Seed> => {
  const before = await usedBefore(app, owner, kind, since)
  const { used, held } = await findSpent(app.db, owner)
  return { used: Math.max(0, used - before), running: held }
}

/** Calls of a day that were charged: what a lost count of requests begins with. */
export const callsSince = async (app: App, owner: Owner, since: number): Promise<Seed> => {
  const { lastAt } = await findSpent(app.db, owner)
  const calls = lastAt < since ? 0 : (await postedSince(app.db, owner, since)).calls
  return { used: calls, running: 0 }
}
