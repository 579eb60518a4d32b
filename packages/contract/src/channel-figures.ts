import { z } from 'zod'
import { get, Id } from './resource.ts'

/** Milliseconds. Null: no call has the value. */
const Percentiles = z.object({ p50: z.number().nullable(), p95: z.number().nullable() })

const Figures = z.object({
  /** Calls that it answered. */
  requests: z.number(),
  /** Attempts at it that failed, also those after which another channel answered, and streams that it broke off. */
  failed: z.number(),
  /** The answered calls whose answer had no output. */
  empty: z.number(),
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

export const ChannelHealth = z.object({
  /** Seconds: when the first of the 24 hours begins. */
  begin: z.number(),
  /** False: figures are too low, because logs wait to be counted or more calls of the site failed than are read. */
  complete: z.boolean(),
  channels: z.array(
    z.object({
      id: z.number(),
      /** Calls that the channel answered in each hour, those of them without output, and attempts at it that failed. */
      hours: z.array(z.object({ requests: z.number(), failed: z.number(), empty: z.number() })),
      /** The numbers of models that the watch of the vendor's list proposes to add and to remove. */
      proposed: z.object({ added: z.number(), removed: z.number() }),
    }),
  ),
})
export type ChannelHealth = z.output<typeof ChannelHealth>

export const channelFigures = {
  health: get('/health', {
    access: 'admin',
    input: z.object({
      /** Numbers with commas between them. */
      ids: z.string().regex(/^\d{1,9}(,\d{1,9}){0,99}$/, 'must be at most 100 numbers with commas'),
    }),
    response: ChannelHealth,
    summary: 'Calls and failures of channels by hour, of the last 24 hours, and proposed models',
  }),
  figures: get('/:id/figures', {
    access: 'admin',
    input: Id.extend({ period: z.enum(['hour', 'day']).default('hour') }),
    response: ChannelFigures,
    summary: 'Calls, failures, durations and charges of a channel in the last hour or day',
  }),
}
