import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Database } from '../../db/index.ts'
import {
  type CachedCallRow,
  findLastCacheSum,
  listCachedCalls,
  removeCacheSums,
  sumCachedPrompts,
  writeCacheSums,
} from '../../db/queries/cache-sums.ts'
import { daySeconds, type TimeRange } from '../../db/queries/usage-sums.ts'
import { type App, nowSeconds } from '../app.ts'
import {
  addMiss,
  type CachedPrompt,
  longCacheLifeSeconds,
  type MissFinder,
  makeMissFinder,
  readCachedPrompt,
  roundMisses,
} from './prompt-cache.ts'
import { findCountedUntil } from './store-sums.ts'

/** The days that a channel's page shows. */
export const cacheDays = 7
const hourSeconds = 3_600
/** A page of rows is parsed at once, so that no call waits long for it. */
const pageRows = 500
/** How long a call stays in memory. Another begins earlier than it ends, and few last for ten minutes. */
const lookBackSeconds = longCacheLifeSeconds + 600

/** Whole hours that a view of the last days reads, up to now. */
export const cacheRange = (now: number): TimeRange => {
  const end = hourOf(now) + hourSeconds
  return { begin: end - cacheDays * daySeconds, end }
}

/**
 * Stores the sums of prompt caches by hour, up to the last quarter hour whose usage is stored. The last two hours are
 * counted again, because rows may be written late.
 */
export const storeCacheSums = async (app: App): Promise<void> => {
  const { db } = app
  const end = await findCountedUntil(db)
  if (end === undefined) return
  const { begin: first } = cacheRange(nowSeconds(app))
  const last = (await findLastCacheSum(db)) ?? first
  const begin = Math.max(first, Math.min(last, hourOf(end - 1)) - hourSeconds)
  const find = makeMissFinder<SessionCall>(each => each.session, lookBackSeconds)
  // Calls before the first hour may have filled the caches.
  await readCalls(db, { begin: begin - lookBackSeconds, end: begin }, find)
  for (let at = begin; at < end; at += hourSeconds)
    await storeHour(db, { begin: at, end: Math.min(end, at + hourSeconds) }, find)
  await removeCacheSums(db, first)
}

const hourOf = (seconds: number) => seconds - (seconds % hourSeconds)

/** Sums the calls of an hour, or of the part of it that has ended, while they are read: it keeps none of them. */
const storeHour = async (
  db: Database,
  range: TimeRange,
  find: MissFinder<SessionCall>,
): Promise<void> => {
  const misses = new Map<string, ReturnType<typeof addMiss>>()
  await readCalls(db, range, call => {
    const miss = find(call)
    if (miss) misses.set(call.sum, addMiss(misses.get(call.sum), miss))
  })
  const sums = await sumCachedPrompts(db, range)
  const rows = sums.map(each => {
    const own = roundMisses(misses.get(nameOf(each.channel_id, each.model)))
    return { at: range.begin, ...each, ...own }
  })
  await writeCacheSums(db, rows)
}

type SessionCall = CachedPrompt & { id: number; session: string; sum: string }

/** Reads the calls of a time in pages, the oldest first. */
const readCalls = async (
  db: Database,
  range: TimeRange,
  visit: (call: SessionCall) => void,
): Promise<void> => {
  let after = { created_at: 0, id: 0 }
  for (;;) {
    const rows = await listCachedCalls(db, range, after, pageRows)
    for (const row of rows) visit(asSessionCall(row))
    // SQLite answers within one turn, so that nothing else would have one until the last page.
    await nextTurn()
    if (rows.length < pageRows) return
    after = rows.at(-1)!
  }
}

const nameOf = (channelId: number, model: string) => `${channelId} ${model}`

/** A session is one of one user and one model. */
export const asSessionCall = (row: CachedCallRow): SessionCall => {
  const prompt = readCachedPrompt(row)
  return {
    ...prompt,
    id: row.id,
    session: `${row.user_id} ${row.model_name} ${prompt.session}`,
    sum: nameOf(row.channel_id, row.model_name),
  }
}
