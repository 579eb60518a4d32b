import { z } from 'zod'
import {
  Channel,
  ChannelAddress,
  ChannelPatch,
  ChannelProxy,
  NewChannel,
} from './channel-fields.ts'
import { channelTags } from './channel-tags.ts'
import {
  Done,
  del,
  type Endpoints,
  get,
  Id,
  ListQuery,
  Nothing,
  orderOf,
  pageOf,
  post,
  put,
  resource,
} from './resource.ts'

export * from './channel-fields.ts'

/** One resource has two addresses in One Hub: `/api/channel`, and `/api/channel_tag` for several channels at once. */
const under = <E extends Endpoints>(prefix: string, endpoints: E): E =>
  Object.fromEntries(
    Object.entries(endpoints).map(([name, each]) => [
      name,
      { ...each, path: `${prefix}${each.path}` },
    ]),
  ) as E

/** All channels in turn, each asked once: a test, or what is left of the account. */
export const ChannelRound = z.object({
  kind: z.enum(['test', 'balance']),
  started_at: z.number(),
  /** 0: it still runs. */
  ended_at: z.number(),
  total: z.number(),
  done: z.number(),
  disabled: z.number(),
  enabled: z.number(),
  /** At most 100. */
  failed: z.array(z.object({ id: z.number(), name: z.string(), reason: z.string() })),
})
export type ChannelRound = z.output<typeof ChannelRound>

const oneByOne = {
  list: get('/', {
    access: 'admin',
    input: ListQuery.omit({ keyword: true }).extend({
      order: orderOf(
        'id',
        'name',
        'group',
        'type',
        'status',
        'response_time',
        'balance',
        'priority',
        'weight',
        'used_quota',
      ),
      type: z.number().int().optional(),
      status: z.number().int().optional(),
      name: z.string().max(100).optional(),
      group: z.string().max(50).optional(),
      models: z.string().max(200).optional(),
      other: z.string().max(500).optional(),
      test_model: z.string().max(200).optional(),
      tag: z.string().max(32).optional(),
      /** 1: only channels without a tag; 2: of each tag the newest channel. */
      filter_tag: z.number().int().min(0).max(2).optional(),
      key: z.string().max(10_000).optional(),
    }),
    reply: pageOf(Channel),
    summary: 'Channels; `key` finds the channel that holds exactly this key',
  }),
  models: get('/models', {
    access: 'admin',
    input: Nothing,
    envelope: false,
    reply: z.object({
      object: z.literal('list'),
      data: z.array(
        z.object({
          id: z.string(),
          object: z.literal('model'),
          created: z.number(),
          owned_by: z.string(),
        }),
      ),
    }),
    summary: 'Every model that has a price, in the shape of /v1/models',
  }),
  get: get('/:id', {
    access: 'admin',
    input: Id,
    reply: Channel,
    summary: 'One channel, without its keys',
  }),
  create: post('/', {
    access: 'admin',
    input: NewChannel,
    reply: z.array(Channel),
    summary: 'Creates one channel per line of `key`',
  }),
  update: put('/', {
    access: 'admin',
    input: ChannelPatch,
    reply: Channel,
    summary: 'Changes what the body names, and nothing else',
  }),
  copy: post('/:id/copy', {
    access: 'admin',
    input: Id,
    reply: Channel,
    summary: 'Makes a disabled copy, keys included',
  }),
  removeDisabled: del('/disabled', {
    access: 'admin',
    input: Nothing,
    reply: z.number(),
    summary: 'Deletes all disabled channels; answers how many',
  }),
  removeMany: del('/batch', {
    access: 'admin',
    input: z.object({
      value: z.string().optional(),
      ids: z.array(z.number().int().positive()).min(1).max(1000),
    }),
    reply: z.number(),
    summary: 'Deletes channels; answers how many',
  }),
  remove: del('/:id', { access: 'admin', input: Id, reply: Done, summary: 'Deletes a channel' }),
  test: post('/test/:id', {
    access: 'admin',
    input: Id.extend({ model: z.string().max(200).optional() }),
    reply: z.object({ time: z.number().meta({ description: 'seconds' }), model: z.string() }),
    summary: 'One small chat through the channel; not charged',
  }),
  testAll: post('/test', {
    access: 'admin',
    input: Nothing,
    reply: ChannelRound,
    summary: 'Starts a test of all channels, one after the other; `rounds` tells how it goes',
  }),
  updateBalance: post('/update_balance/:id', {
    access: 'admin',
    input: Id,
    reply: z.object({ balance: z.number(), currency: z.string() }),
    summary: 'Asks the provider what is left of the account',
  }),
  updateBalances: post('/update_balance', {
    access: 'admin',
    input: Nothing,
    reply: ChannelRound,
    summary: 'Starts the same for every enabled channel whose provider can be asked',
  }),
  rounds: get('/rounds', {
    access: 'admin',
    input: Nothing,
    reply: z.array(ChannelRound),
    summary: 'The last test and the last balance update of all channels, also while they run',
  }),
  leaveTag: del('/:id/tag', {
    access: 'admin',
    input: Id,
    reply: Done,
    summary: 'Takes a channel out of its tag',
  }),
  fetchModels: post('/provider_models_list', {
    access: 'admin',
    input: z.object({
      id: z.number().int().optional(),
      type: z.number().int(),
      key: z.string().max(100_000).default(''),
      base_url: ChannelAddress.default(''),
      proxy: ChannelProxy.default(''),
      other: z.string().max(500).default(''),
    }),
    reply: z.array(z.string()),
    audit: false,
    summary: 'The model list of a provider, for a stored channel or one that is being typed',
  }),
}

export const channels = resource('/api', {
  ...under('/channel', oneByOne),
  ...under('/channel_tag', channelTags),
})
