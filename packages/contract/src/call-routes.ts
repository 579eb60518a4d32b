import { z } from 'zod'
import { CandidateReason } from './virtual-models.ts'

/** The code of an attempt that was cancelled because another one of the same call had the first event. */
export const hedgeCancelled = 'hedge.cancelled'

/** The code of an attempt whose answer the caller got, and which has no output. */
export const emptyAnswer = 'answer.empty'

/** A channel that did not answer. Only administrators see attempts. */
export const FailedAttempt = z.object({
  channel_id: z.number(),
  channel: z.string(),
  code: z.string(),
  /** The upstream's HTTP status. Null: it sent none. */
  status: z.number().nullable(),
  /** From the call's request to the beginning of the attempt. Rows of earlier releases have none. */
  after: z.number().optional(),
  milliseconds: z.number(),
  /** The candidate of a virtual model that was asked. */
  model: z.string().optional(),
  /** The place of the key in the list of a channel with several, from 1. */
  key: z.number().optional(),
  /** The upstream's words, without the channel's credential and host. */
  detail: z.string(),
})
export type FailedAttempt = z.output<typeof FailedAttempt>

/** Why a channel that lists the model was not asked. The first seven make it unusable for the call. */
export const passReasons = [
  'cooling_down',
  'probed',
  'chat_only',
  'no_stream',
  'no_operation',
  'context_too_small',
  'excluded',
  'lower_priority',
  'not_drawn',
] as const

export const PassedOver = z.object({
  channel_id: z.number(),
  channel: z.string(),
  priority: z.number(),
  reason: z.enum(passReasons),
  /** The rest of its cooldown. */
  milliseconds: z.number().optional(),
})
export type PassedOver = z.output<typeof PassedOver>

/** Why a failed call asked no further channel. */
export const stopReasons = [
  'no_candidate',
  'not_retryable',
  'retry_limit',
  'time_limit',
  'retry_budget',
  'forced',
  'aborted',
] as const

/** The candidates of a virtual model in the order in which the call asked them, those without a reason first. */
export const VirtualRoute = z.object({
  name: z.string(),
  version: z.number(),
  candidates: z.array(
    z.object({
      model: z.string(),
      group: z.string(),
      tier: z.number(),
      /** It was asked. Candidates that were neither asked nor have a reason were not needed. */
      tried: z.boolean(),
      reason: CandidateReason.optional(),
    }),
  ),
})
export type VirtualRoute = z.output<typeof VirtualRoute>

/** Channels that are listed with their reason; a model may have thousands. */
export const passedOverMax = 20

/** The metadata `route` of a log row. Absent: one channel lists the model, and it answered. */
export const RouteNote = z.object({
  /** The virtual model that was called. `candidates` counts the channels of the candidate that was asked last. */
  virtual: VirtualRoute.optional(),
  /** Channels that list the model for the group. */
  candidates: z.number(),
  /** The priority of the last channel that was asked, and the number of channels that have it. */
  priority: z.number().optional(),
  drawn_from: z.number().optional(),
  /** The channel was chosen because it has the beginning of the conversation in its prompt cache. */
  warm: z.boolean().optional(),
  /** Milliseconds from the request to the beginning of the last attempt, where it was not the first. */
  after: z.number().optional(),
  stop: z.enum(stopReasons).optional(),
  passed_over: z.array(PassedOver).optional(),
  /** Channels of a failed call that were passed over and are not listed. Those of an answered call are not counted. */
  more: z.number().optional(),
})
export type RouteNote = z.output<typeof RouteNote>

/** Which channels a call tried, and why it did not try the others. */
export const CallRoute = RouteNote.extend({
  id: z.number(),
  model: z.string(),
  /** Milliseconds from the request to its end. */
  request_time: z.number(),
  attempts: z.array(FailedAttempt),
  /** Null: no channel answered. */
  served: z
    .object({
      channel_id: z.number(),
      channel: z.string(),
      after: z.number(),
      milliseconds: z.number(),
      /** From the request to the first byte for the caller. */
      first_byte: z.number().nullable(),
    })
    .nullable(),
  passed_over: z.array(PassedOver),
  more: z.number(),
  /** Channels that list the model and are disabled now; they may have been enabled when the call was made. */
  disabled: z.array(z.object({ channel_id: z.number(), channel: z.string(), status: z.number() })),
})
export type CallRoute = z.output<typeof CallRoute>
