import type { CallCache, Log, SessionCache } from '@hub/contract'
import { logTypes } from '@hub/contract'
import type { App } from '../../core/app.ts'
import {
  type CachedPrompt,
  findCacheMisses,
  makeCacheFigures,
  readCachedPrompt,
  sumMisses,
} from '../../core/usage/prompt-cache.ts'
import { asSessionCall } from '../../core/usage/store-cache-sums.ts'
import { withDeadline } from '../../db/engines/deadline.ts'
import { listSessionCalls } from '../../db/queries/cache-sums.ts'
import type { SessionOf } from '../../db/queries/call-sessions.ts'
import { withUserId } from '../../db/queries/log-filter.ts'

/** The newest calls of a session that are counted. */
const callsMax = 10_000
/** A page of rows is parsed at once. */
const pageRows = 2_000
/** Calls that may have run since the one before: see `parallelMax` of `findCacheMisses`. */
const neighboursMax = 200

/** Sums what the prompt caches read and missed of the newest calls of a session. */
export const sessionCache = async (app: App, input: SessionOf): Promise<SessionCache> => {
  const { userId, username } = await withUserId(app.db, input)
  const calls = await readCalls(app, { session: input.session, userId, username })
  const sum = (of: (call: CachedPrompt) => number) =>
    calls.reduce((total, call) => total + of(call), 0)
  const misses = findCacheMisses(calls.toReversed(), each => each.session)
  const figures = makeCacheFigures({
    requests: calls.length,
    prompt_tokens: sum(({ prompt }) => prompt),
    read_tokens: sum(({ read }) => read),
    written_tokens: sum(writtenOf),
    ...sumMisses([...misses.values()]),
  })
  return { ...figures, complete: calls.length < callsMax }
}

/** Reads the newest calls in pages, the newest first. */
const readCalls = async (app: App, session: SessionOf) => {
  const calls: ReturnType<typeof asSessionCall>[] = []
  let before: { created_at: number; id: number } | undefined
  while (calls.length < callsMax) {
    const page = { before, limit: pageRows }
    const rows = await withDeadline(app.db, db => listSessionCalls(db, session, page))
    calls.push(...rows.map(asSessionCall))
    if (rows.length < pageRows) break
    before = rows.at(-1)
  }
  return calls
}

const writtenOf = ({ written }: Pick<CachedPrompt, 'written'>): number =>
  written.reduce((total, { tokens }) => total + tokens, 0)

/** Reads how much the cache read and missed of one call, compared with those before in its session. */
export const callCache = async (app: App, log: Log): Promise<CallCache> => {
  const row = { ...log, metadata: JSON.stringify(log.metadata) }
  const own = readCachedPrompt(row)
  const miss = log.type === logTypes.consume ? await findMiss(app, log, own) : undefined
  const { hit_rate } = makeCacheFigures({
    ...{ requests: 1, prompt_tokens: own.prompt, read_tokens: own.read },
    ...{ written_tokens: writtenOf(own), ...sumMisses(miss ? [miss] : []) },
  })
  return {
    ...{ prompt_tokens: own.prompt, read_tokens: own.read, written_tokens: writtenOf(own) },
    hit_rate: hit_rate ?? (own.prices && own.prompt > 0 ? 0 : null),
    miss: miss ? { ...miss, points: Math.round(miss.points) } : null,
  }
}

const findMiss = async (
  app: App,
  { id, user_id, created_at }: Log,
  { session, prices }: ReturnType<typeof readCachedPrompt>,
) => {
  if (session === '' || !prices) return undefined
  const rows = await listSessionCalls(
    app.db,
    { session, userId: user_id },
    { before: { created_at, id: id + 1 }, limit: neighboursMax },
  )
  const calls = rows.map(asSessionCall).toReversed()
  const misses = findCacheMisses(calls, each => each.session)
  const call = calls.find(each => each.id === id)
  return call && misses.get(call)
}
