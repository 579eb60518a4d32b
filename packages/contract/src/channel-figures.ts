import { z } from 'zod'
import { get, Id } from './resource.ts'

/** Milliseconds. Null: no call has the value. */
const Percentiles = z.object({ p50: z.number().nullable(), p95: z.number().nullable() })

const Figures = z.object({
  /** Calls that it answered. */
  requests: z.number(),
  /** Attempts at it that failed, also those after which another channel answered, and streams that it broke off. */
  failed: z.number(),
  /** Points. */
  charged: z.number(),
  prompt_tokens: z.number(),
  completion_tokens: z.number(),
  /** The part of the prompt tokens that the vendor read from its prompt cache. */
  cached_tokens: z.number(),
  /** Points: what the cached tokens would have cost at the full input price, minus what they cost. */
  saved: z.number(),
  /** From the request to the first byte, of streams. */
  first_byte: Percentiles,
  /** From the request to its end. */
  duration: Percentiles,
  /** Output tokens per second of streams, after their first byte. Null: there is no stream. */
  tokens_per_second: z.number().nullable(),
})

export const ChannelFigures = z.object({
  /** Seconds, included. */
  begin: z.number(),
  /** Seconds, not included. */
  end: z.number(),
  /** False while the site writes no logs of calls: figures are too low. */
  logging: z.boolean(),
  /** False: more calls of the site had failed attempts than are counted here, so that the failures are too low. */
  failures_complete: z.boolean(),
  totals: Figures,
  /** The last hour has 12 points of 5 minutes each, the last day 24 of one hour each. */
  points: z.array(Figures.extend({ begin: z.number() })),
  /** The failures by fault code, the most frequent first. */
  failures: z.array(z.object({ code: z.string(), count: z.number() })),
})
export type ChannelFigures = z.output<typeof ChannelFigures>

export const channelFigures = {
  figures: get('/:id/figures', {
    access: 'admin',
    input: Id.extend({ period: z.enum(['hour', 'day']).default('hour') }),
    reply: ChannelFigures,
    summary: 'Calls, failures, durations and charges of a channel in the last hour or day',
  }),
}
