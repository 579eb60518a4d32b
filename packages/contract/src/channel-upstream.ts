import { z } from 'zod'
import { ChannelAddress, ChannelProxy } from './channel-fields.ts'
import { get, Id, NoData, post } from './resource.ts'

/** `propose`: an administrator decides. `apply`: models with a price are added, and the rest is proposed. */
export const watchModes = ['off', 'propose', 'apply'] as const
export type WatchMode = (typeof watchModes)[number]

const ModelNames = z.array(z.string().min(1).max(200)).max(5_000)

/** How the vendor's list of models differs from the channel's, by its mapping and its ignored models. */
const ModelWatch = z.object({
  mode: z.enum(watchModes),
  /** Seconds of the last attempt, and of the last list. 0: none. */
  checked_at: z.number(),
  read_at: z.number(),
  /** The reason why the last attempt failed. Empty: it did not. */
  failure: z.string(),
  /** Models that the vendor offers and the channel does not have. */
  added: z.array(z.object({ model: z.string(), is_priced: z.boolean() })),
  /** Models of the channel that the vendor does not list. It may serve them all the same. */
  removed: z.array(z.string()),
  ignored: z.array(z.string()),
})

export const UpstreamGroup = z.object({
  group: z.string(),
  /** Empty: the upstream shows none. */
  name: z.string(),
  /** A decimal in text. */
  ratio: z.string(),
})
export type UpstreamGroup = z.output<typeof UpstreamGroup>

const RatioChange = z.object({
  group: z.string(),
  ratio: z.string(),
  /** Seconds. */
  valid_from: z.number(),
})
export type RatioChange = z.output<typeof RatioChange>

/** The multiplier that the upstream applies to the prices of the group of the channel's key. */
const UpstreamRatio = z.object({
  group: z.string(),
  /** Null: unknown. */
  ratio: z.string().nullable(),
  checked_at: z.number(),
  /** Seconds of the last attempt that read the groups. 0: none. */
  read_at: z.number(),
  /** The groups that the upstream showed at the last reading. */
  groups: z.array(UpstreamGroup),
  /** At most 50, newest first. */
  history: z.array(RatioChange),
  /** A change that no administrator has confirmed yet. */
  change: z.object({ before: z.string(), after: z.string(), at: z.number() }).nullable(),
})

export const ChannelUpstream = z.object({
  /** Null: the channel type has no list of models. */
  models: ModelWatch.nullable(),
  /** Null: the channel type is not a gateway. */
  ratio: UpstreamRatio.nullable(),
})
export type ChannelUpstream = z.output<typeof ChannelUpstream>

/** The account of a channel that may not be saved yet. */
export const ProviderAccount = z.object({
  id: z.number().int().optional(),
  type: z.number().int(),
  key: z.string().max(100_000).default('').meta({ secret: true }),
  base_url: ChannelAddress.optional(),
  proxy: ChannelProxy.meta({ secret: true }).optional(),
  other: z.string().max(500).optional(),
})

export const channelUpstream = {
  upstream: get('/:id/upstream', {
    access: 'admin',
    input: Id,
    response: ChannelUpstream,
    summary:
      'New and vanished models of a channel, and the multiplier of its group at the upstream',
  }),
  readUpstream: post('/:id/upstream', {
    access: 'admin',
    input: Id,
    response: ChannelUpstream,
    summary: 'Reads the list of models and the multiplier now',
  }),
  applyModels: post('/:id/models/apply', {
    access: 'admin',
    input: Id.extend({ add: ModelNames.default([]), remove: ModelNames.default([]) }),
    response: ChannelUpstream,
    summary: 'Adds and removes models that the watch proposes',
  }),
  ignoreModels: post('/:id/models/ignore', {
    access: 'admin',
    input: Id.extend({ models: ModelNames.min(1) }),
    response: ChannelUpstream,
    summary: 'Adds models to the ignored ones, which are not proposed again',
  }),
  confirmRatio: post('/:id/ratio/confirm', {
    access: 'admin',
    input: Id,
    response: NoData,
    summary: 'Takes a change of the multiplier off the list of what needs attention',
  }),
  fetchGroups: post('/provider_groups_list', {
    access: 'admin',
    input: ProviderAccount,
    response: z.array(UpstreamGroup),
    summary:
      'The groups of a gateway and their multipliers; absent fields are those of the channel `id`, as for its model list',
  }),
}
