import { z } from 'zod'
import { get, Id } from './resource.ts'

const RoutedChannel = z.object({
  id: z.number(),
  name: z.string(),
  weight: z.number(),
  /** The part of the calls of its tier that it gets, from 0 to 1, while no channel of the tier cools down. */
  share: z.number(),
})

/** The channels that models of one group can be sent to. */
const ChannelRoute = z.object({
  group: z.string(),
  /** Those for which the tiers are the same. A name may end in `*`. */
  models: z.array(z.string()),
  /** The highest priority first: a lower one gets the calls that all channels above failed to answer. */
  tiers: z.array(z.object({ priority: z.number(), channels: z.array(RoutedChannel) })),
})
export type ChannelRoute = z.output<typeof ChannelRoute>

/** A cooldown after failures, as the node that answers knows it. */
const RunningCooldown = z.object({
  channel_id: z.number(),
  /** Empty: all of them. */
  models: z.array(z.string()),
  seconds: z.number(),
})

export const ChannelRouting = z.object({
  /** False: the channel gets no calls, and the routes show what it would get. */
  enabled: z.boolean(),
  routes: z.array(ChannelRoute),
  /** Of every channel of the routes. */
  cooldowns: z.array(RunningCooldown),
})
export type ChannelRouting = z.output<typeof ChannelRouting>

/**
 * How a test reached the vendor: by a small call, or, where each call would be charged, by reading the model list, the
 * balance or the tasks. `none`: the vendor has nothing that can be read, so there was no test, and nothing failed.
 */
export const TestKind = z.enum(['call', 'models', 'balance', 'tasks', 'none'])
export type TestKind = z.output<typeof TestKind>

/** The last test of one model of a channel. */
export const ModelTest = z.object({
  model: z.string(),
  /** Seconds. */
  at: z.number(),
  /** Milliseconds. 0: it failed. */
  ms: z.number(),
  /** The reason why it failed, without secrets. Empty: it passed. */
  error: z.string(),
  kind: TestKind,
})
export type ModelTest = z.output<typeof ModelTest>

export const channelRouting = {
  routing: get('/:id/routing', {
    access: 'admin',
    input: Id,
    response: ChannelRouting,
    summary: 'The share of calls that a channel gets, by group and model, beside other channels',
  }),
  modelTests: get('/:id/model_tests', {
    access: 'admin',
    input: Id,
    response: z.array(ModelTest),
    summary: 'The last test of each model of a channel',
  }),
}
