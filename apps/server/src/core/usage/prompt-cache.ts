import type { CacheFigures } from '@hub/contract'

/** The cached part of a call's prompt, as its log row has it. Counts are tokens. */
export type CachedPrompt = {
  /** Seconds: the end of the call. */
  endedAt: number
  /** Milliseconds. */
  duration: number
  /** The whole prompt. */
  prompt: number
  read: number
  written: readonly CacheWrite[]
  /** Sound and images that came from no cache. Their place in the prompt is not known. */
  media: number
  /** Points for one token of text in this call. Undefined: the price has no cache, or the usage says nothing of it. */
  prices: { input: number; read: number } | undefined
  /** Points. */
  charged: number
}

type CacheWrite = { tokens: number; ratio: number; lifeSeconds: number }

/** The part of a prompt that a cache should have had and did not. */
export type CacheMiss = {
  /** Tokens that the cache should have had. */
  expected: number
  /** Those of them that were not read from it. 0: it was a hit. */
  tokens: number
  /** Points that were charged for these, minus what they would have cost out of the cache. */
  points: number
}

/** Vendors keep an unused prompt for about five minutes, and Anthropic for an hour where it was written for one. */
export const cacheLifeSeconds = 300
export const longCacheLifeSeconds = 3_600
/** No vendor caches a shorter prompt by itself: https://developers.openai.com/api/docs/guides/prompt-caching */
const prefixMin = 1_024
/** A cache ends at the end of a block, so that a smaller rest is no miss. */
const blockTokens = 128

/**
 * Tells how much a call missed of the prompt of the call before it in its session. Undefined: there is no figure, because the
 * cache had expired, the prompts are too short, or price or usage say nothing of a cache. `docs/prompt-cache.md`
 */
export const cacheMissOf = (call: CachedPrompt, before: CachedPrompt): CacheMiss | undefined => {
  if (!call.prices || !before.prices || !isAlive(call, before)) return undefined
  const expected = Math.min(before.prompt, call.prompt)
  if (expected < prefixMin) return undefined
  const missing = expected - call.read
  if (missing < blockTokens) return { expected, tokens: 0, points: 0 }
  const { input, read } = call.prices
  const written = call.written.reduce((sum, each) => sum + each.tokens, 0)
  const fresh = Math.max(0, call.prompt - call.read - written - call.media)
  let tokens = 0
  let points = 0
  // A prompt is read, then written, then fresh. An hour's writes precede those of five minutes.
  for (const part of [...call.written, { tokens: fresh, ratio: 1 }]) {
    const taken = Math.min(part.tokens, missing - tokens)
    tokens += taken
    points += taken * (input * part.ratio - read)
  }
  return { expected, tokens, points: Math.min(call.charged, Math.max(0, points)) }
}

/** The times of log rows are whole seconds, so that a call that began in the second of the other's end may follow it. */
const hasEndedBefore = (call: CachedPrompt, before: CachedPrompt): boolean =>
  before.endedAt < call.endedAt + 1 - call.duration / 1_000

const isAlive = (call: CachedPrompt, before: CachedPrompt): boolean => {
  const life = Math.max(
    cacheLifeSeconds,
    ...before.written.filter(each => each.tokens > 0).map(each => each.lifeSeconds),
  )
  return call.endedAt - call.duration / 1_000 - before.endedAt <= life
}

/** Calls of one session that may still run when another of them begins. */
const parallelMax = 50
/** Each sweep looks at all sessions. */
const sweepSeconds = 60

/** Finds what a call missed of those that were passed before it. */
export type MissFinder<Call> = (call: Call) => CacheMiss | undefined

/**
 * Returns a function that finds what a call missed of the last one of its session and model that had ended when it began.
 * Calls are passed the oldest first, and `sessionOf` tells sessions and models apart. Those that ended more than
 * `keepSeconds` ago are forgotten.
 */
export const makeMissFinder = <Call extends CachedPrompt>(
  sessionOf: (call: Call) => string,
  keepSeconds: number,
): MissFinder<Call> => {
  const earlier = new Map<string, Call[]>()
  let sweptAt = 0
  return call => {
    const session = sessionOf(call)
    const others = earlier.get(session) ?? []
    const before = others.findLast(each => hasEndedBefore(call, each))
    const isKept = (each: Call) => each.endedAt >= call.endedAt - keepSeconds
    earlier.set(session, [...others.slice(-parallelMax).filter(isKept), call])
    if (call.endedAt >= sweptAt + sweepSeconds) {
      for (const [name, calls] of earlier) if (!isKept(calls.at(-1)!)) earlier.delete(name)
      sweptAt = call.endedAt
    }
    return before && cacheMissOf(call, before)
  }
}

/** Finds what each of some calls missed, as `makeMissFinder` does. */
export const findCacheMisses = <Call extends CachedPrompt>(
  calls: Iterable<Call>,
  sessionOf: (call: Call) => string,
): Map<Call, CacheMiss> => {
  const find = makeMissFinder(sessionOf, Number.POSITIVE_INFINITY)
  const misses = new Map<Call, CacheMiss>()
  for (const call of calls) {
    const miss = find(call)
    if (miss) misses.set(call, miss)
  }
  return misses
}

/** The columns of a log row that `readCachedPrompt` needs. */
export type CachedPromptRow = {
  created_at: number
  request_time: number
  prompt_tokens: number
  quota: number
  metadata: string
}

export const readCachedPrompt = (row: CachedPromptRow): CachedPrompt & { session: string } => {
  const metadata: Record<string, unknown> = JSON.parse(row.metadata)
  const number = (key: string): number => Number(metadata[key] ?? 0) || 0
  const write = (key: string, lifeSeconds: number): CacheWrite => ({
    tokens: number(key),
    ratio: number(`${key}_ratio`),
    lifeSeconds,
  })
  return {
    session: String(metadata.session ?? ''),
    endedAt: row.created_at,
    duration: row.request_time,
    prompt: row.prompt_tokens,
    read:
      number('cached_read_tokens') +
      number('cached_read_audio_tokens') +
      number('cached_read_image_tokens'),
    written: [
      write('cached_write_1h_tokens', longCacheLifeSeconds),
      write('cached_write_tokens', cacheLifeSeconds),
    ],
    media: number('input_audio_tokens') + number('input_image_tokens'),
    prices: pricesIn(metadata.cache_prices),
    charged: row.quota,
  }
}

/** A row has the pair that `receipt.ts` wrote, or nothing. */
const pricesIn = (pair: unknown): CachedPrompt['prices'] => {
  if (!Array.isArray(pair)) return undefined
  const [input, read] = pair.map(Number)
  return input! > read! && read! >= 0 ? { input: input!, read: read! } : undefined
}

/** The figures of misses in the names of the table of sums. Points become whole ones in `roundMisses`. */
type MissSums = { expecting: number; missing: number; missed_tokens: number; missed_points: number }

const noMisses: MissSums = { expecting: 0, missing: 0, missed_tokens: 0, missed_points: 0 }

export const addMiss = (sums: MissSums = noMisses, { tokens, points }: CacheMiss): MissSums => ({
  expecting: sums.expecting + 1,
  missing: sums.missing + (tokens > 0 ? 1 : 0),
  missed_tokens: sums.missed_tokens + tokens,
  missed_points: sums.missed_points + points,
})

export const roundMisses = (sums: MissSums = noMisses): MissSums => ({
  ...sums,
  missed_points: Math.round(sums.missed_points),
})

export const sumMisses = (misses: readonly CacheMiss[]): MissSums =>
  roundMisses(misses.reduce(addMiss, noMisses))

type CacheSums = MissSums & {
  requests: number
  prompt_tokens: number
  read_tokens: number
  written_tokens: number
}

export const noCacheSums: CacheSums = {
  ...{ requests: 0, prompt_tokens: 0, read_tokens: 0, written_tokens: 0 },
  ...sumMisses([]),
}

/** Without a cached token and an expected one, nothing says that there is a cache. */
export const makeCacheFigures = (sums: CacheSums): CacheFigures => {
  const { requests: calls, prompt_tokens, read_tokens, written_tokens, expecting } = sums
  const isStated = prompt_tokens > 0 && read_tokens + written_tokens + expecting > 0
  return {
    ...{ calls, prompt_tokens, read_tokens, written_tokens },
    hit_rate: isStated ? read_tokens / prompt_tokens : null,
    misses:
      expecting === 0
        ? null
        : {
            expecting,
            calls: sums.missing,
            tokens: sums.missed_tokens,
            points: sums.missed_points,
          },
  }
}
