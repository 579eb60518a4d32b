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
/** Calls end later than they begin, so that one from before the lifetime of a cache may still count. */
const lookBackSeconds = 2 * longCacheLifeSeconds

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
  for (let at = begin; at < end; at += hourSeconds)
    await writeCacheSums(db, await sumHour(db, { begin: at, end: Math.min(end, at + hourSeconds) }))
  await removeCacheSums(db, first)
}

const hourOf = (seconds: number) => seconds - (seconds % hourSeconds)

const sumHour = async (db: Database, range: TimeRange) => {
  const misses = await findHourMisses(db, range)
  const sums = await sumCachedPrompts(db, range)
  return sums.map(each => {
    const own = misses.get(nameOf(each.channel_id, each.model)) ?? []
    return { at: range.begin, ...each, ...sumMisses(own) }
  })
}

const nameOf = (channelId: number, model: string) => `${channelId} ${model}`

type SessionCall = CachedPrompt & { session: string; channel: string }

/** The misses of an hour by channel and model. A call before the hour may have filled the cache. */
const findHourMisses = async (db: Database, { begin, end }: TimeRange) => {
  const calls: SessionCall[] = []
  let after = { created_at: 0, id: 0 }
  for (;;) {
    const range = { begin: begin - lookBackSeconds, end }
    const rows = await listCachedCalls(db, range, after, pageRows)
    calls.push(...rows.map(asSessionCall))
    if (rows.length < pageRows) break
    after = rows.at(-1)!
  }
  const found = [...findCacheMisses(calls, each => each.session)]
  const ofHour = found.filter(([{ endedAt }]) => endedAt >= begin)
  return new Map(
    [...Map.groupBy(ofHour, ([{ channel }]) => channel)].map(([channel, pairs]) => [
      channel,
      pairs.map(([, miss]) => miss),
    ]),
  )
}

/** A session is one of one user and one model. */
export const asSessionCall = (row: CachedCallRow): SessionCall & { id: number } => {
  const prompt = readCachedPrompt(row)
  return {
    ...prompt,
    id: row.id,
    session: `${row.user_id} ${row.model_name} ${prompt.session}`,
    channel: nameOf(row.channel_id, row.model_name),
  }
}
