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
  type CachedPrompt,
  type CacheMiss,
  findCacheMisses,
  longCacheLifeSeconds,
  readCachedPrompt,
  sumMisses,
} from './prompt-cache.ts'
import { findCountedUntil } from './store-sums.ts'

/** The days that a channel's page shows. */
export const cacheDays = 7
const hourSeconds = 3_600
/** A page of rows is parsed at once, so that no call waits long for it. */
const pageRows = 2_000
/** Hours whose calls are in memory at once. */
const chunkSeconds = 6 * hourSeconds
/** A call begins earlier than it ends, and few last for ten minutes. */
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
  for (let at = begin; at < end; at += chunkSeconds)
    await storeHours(db, { begin: at, end: Math.min(end, at + chunkSeconds) })
  await removeCacheSums(db, first)
}

const hourOf = (seconds: number) => seconds - (seconds % hourSeconds)

const storeHours = async (db: Database, { begin, end }: TimeRange): Promise<void> => {
  const misses = await findMisses(db, { begin, end })
  for (let at = begin; at < end; at += hourSeconds) {
    const sums = await sumCachedPrompts(db, { begin: at, end: Math.min(end, at + hourSeconds) })
    const rows = sums.map(each => {
      const own = misses.get(nameOf(at, each.channel_id, each.model)) ?? []
      return { at, ...each, ...sumMisses(own) }
    })
    await writeCacheSums(db, rows)
  }
}

const nameOf = (at: number, channelId: number, model: string) => `${at} ${channelId} ${model}`

type SessionCall = CachedPrompt & { id: number; session: string; sum: string }

/** The misses of some hours by hour, channel and model. A call before the range may have filled the cache. */
const findMisses = async (db: Database, { begin, end }: TimeRange) => {
  const calls: SessionCall[] = []
  let after = { created_at: 0, id: 0 }
  for (;;) {
    const range = { begin: begin - lookBackSeconds, end }
    const rows = await listCachedCalls(db, range, after, pageRows)
    calls.push(...rows.map(asSessionCall))
    if (rows.length < pageRows) break
    after = rows.at(-1)!
  }
  const bySum = new Map<string, CacheMiss[]>()
  for (const [{ sum }, miss] of findCacheMisses(calls, each => each.session)) {
    const others = bySum.get(sum)
    if (others) others.push(miss)
    else bySum.set(sum, [miss])
  }
  return bySum
}

/** A session is one of one user and one model. */
export const asSessionCall = (row: CachedCallRow): SessionCall => {
  const prompt = readCachedPrompt(row)
  return {
    ...prompt,
    id: row.id,
    session: `${row.user_id} ${row.model_name} ${prompt.session}`,
    sum: nameOf(hourOf(row.created_at), row.channel_id, row.model_name),
  }
}
