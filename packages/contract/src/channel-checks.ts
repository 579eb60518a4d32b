import { z } from 'zod'
import { get, Id, postEvents } from './resource.ts'

export const checkedFeatures = [
  'chat',
  'stream',
  'tools',
  'images',
  'json_schema',
  'reasoning',
] as const
export type CheckedFeature = (typeof checkedFeatures)[number]

export const checkReasons = [
  'refused',
  'no_text',
  'not_streamed',
  'no_tool_call',
  'image_not_seen',
  'not_the_schema',
  'no_reasoning',
  'not_chat',
] as const

/** One feature of one model, as one small request showed it. */
export const CheckResult = z.object({
  model: z.string(),
  feature: z.enum(checkedFeatures),
  passed: z.boolean(),
  /** Why it did not pass. Null: it passed. */
  reason: z.enum(checkReasons).nullable(),
  /** The vendor's message, scrubbed. */
  detail: z.string(),
  milliseconds: z.number(),
})
export type CheckResult = z.output<typeof CheckResult>

/** The last check of a channel. A check that was stopped has the results up to then. */
export const ChannelCheck = z.object({
  /** Seconds of its end. 0: there was none. */
  at: z.number(),
  results: z.array(CheckResult),
})
export type ChannelCheck = z.output<typeof ChannelCheck>

/** The events of the stream. A heartbeat keeps proxies from closing a connection that is quiet. */
export const CheckEvent = z.discriminatedUnion('type', [
  z.object({ type: z.literal('result'), data: CheckResult }),
  z.object({ type: z.literal('heartbeat'), data: z.literal('ping') }),
  z.object({ type: z.literal('error'), data: z.object({ code: z.string(), message: z.string() }) }),
  z.object({ type: z.literal('done'), data: z.literal('completed') }),
])
export type CheckEvent = z.output<typeof CheckEvent>

export const lastChannelCheck = get('/:id/check', {
  access: 'admin',
  input: Id,
  response: ChannelCheck,
  summary: 'The results of the last check of a channel',
})

/** As in One Hub, which streams it under this address. */
export const runChannelCheck = postEvents('/sse/channel/check', {
  access: 'admin',
  input: Id.extend({
    /** A comma list, at most 50. */
    models: z
      .string()
      .trim()
      .min(1)
      .max(5_000)
      .refine(text => text.split(',').length <= 50, 'at most 50 models'),
    /** Absent: all of them. */
    features: z.array(z.enum(checkedFeatures)).min(1).max(checkedFeatures.length).optional(),
  }),
  response: CheckEvent,
  summary:
    'Tries features of models with small requests that the vendor charges; an event stream with a result for each',
})
