import { z } from 'zod'
import { get, Id, Seconds } from './resource.ts'

/** Figures of how much a vendor's prompt cache read, wrote and missed of some charged calls: `docs/prompt-cache.md`. */
export const CacheFigures = z.object({
  calls: z.number(),
  prompt_tokens: z.number(),
  /** The part of the prompts that came out of the cache. */
  read_tokens: z.number(),
  /** The part that was written to the cache and charged as that. */
  written_tokens: z.number(),
  /** Read tokens ÷ prompt tokens. Null: no call says anything of a cache. */
  hit_rate: z.number().nullable(),
  /** Null: of no call a prompt before should have been in the cache, or price or usage say nothing of one. */
  misses: z
    .object({
      /** Calls of which a prompt before should have been in the cache. */
      expecting: z.number(),
      /** Those that missed a part of it. */
      calls: z.number(),
      tokens: z.number(),
      /** Points that were charged for these tokens, minus what they would have cost out of the cache. */
      points: z.number(),
    })
    .nullable(),
})
export type CacheFigures = z.output<typeof CacheFigures>

export const SessionCache = CacheFigures.extend({
  /** False: only the newest 10,000 calls are counted. */
  complete: z.boolean(),
})
export type SessionCache = z.output<typeof SessionCache>

export const ChannelCache = z.object({
  begin: Seconds,
  /** The calls until then are counted. Null: none is counted yet. */
  until: Seconds.nullable(),
  totals: CacheFigures,
  /** Those with the largest prompts first. */
  models: z.array(CacheFigures.extend({ model: z.string() })),
})
export type ChannelCache = z.output<typeof ChannelCache>

export const CallCache = CacheFigures.omit({ calls: true, misses: true }).extend({
  /** Null: no prompt before should have been in the cache, or price or usage say nothing of one. */
  miss: z
    .object({
      /** Tokens of the call before in the session that should have been in the cache. */
      expected: z.number(),
      /** Those of them that were not read from it. */
      tokens: z.number(),
      points: z.number(),
    })
    .nullable(),
})
export type CallCache = z.output<typeof CallCache>

/** The key of a session, complete. */
const Session = z.object({ session: z.string().min(1).max(100) })

export const callCaches = {
  sessionCache: get('/session_cache', {
    access: 'admin',
    input: Session.extend({ username: z.string().max(254).optional() }),
    response: SessionCache,
    summary: 'What the prompt caches of providers read and missed of a session',
  }),
  selfSessionCache: get('/self/session_cache', {
    access: 'user',
    input: Session,
    response: SessionCache,
    summary: 'What the prompt caches of providers read and missed of a session of the caller',
  }),
  cache: get('/:id/cache', {
    access: 'user',
    input: Id,
    response: CallCache,
    summary:
      'What a prompt cache read and missed of one call; administrators may read those of all',
  }),
}

export const channelCaches = {
  cache: get('/:id/cache', {
    access: 'admin',
    input: Id,
    response: ChannelCache,
    summary: 'What a channel’s prompt cache read and missed in the last 7 days, by model',
  }),
}
