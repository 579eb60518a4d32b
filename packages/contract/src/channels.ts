import { z } from 'zod'
import { channelBalances } from './channel-balances.ts'
import { channelBatches } from './channel-batches.ts'
import { ChannelChange } from './channel-changes.ts'
import { lastChannelCheck, runChannelCheck } from './channel-checks.ts'
import { channelCosts } from './channel-costs.ts'
import {
  Channel,
  ChannelKey,
  ChannelPatch,
  channelState,
  groupList,
  KeyByFingerprint,
  NewChannel,
  NewKeys,
} from './channel-fields.ts'
import { channelFigures } from './channel-figures.ts'
import { ChannelFilter } from './channel-filter.ts'
import { channelRouting, TestKind } from './channel-routing.ts'
import { channelTags } from './channel-tags.ts'
import { channelTransfer } from './channel-transfer.ts'
import { channelUpstream, ProviderAccount } from './channel-upstream.ts'
import { channelCaches } from './prompt-cache.ts'
import {
  del,
  type Endpoints,
  get,
  Id,
  ListQuery,
  NoData,
  NoInput,
  orderQuery,
  pageOf,
  post,
  put,
  resource,
} from './resource.ts'

export * from './channel-balances.ts'
export * from './channel-batches.ts'
export * from './channel-changes.ts'
export * from './channel-checks.ts'
export * from './channel-costs.ts'
export * from './channel-fields.ts'
export * from './channel-figures.ts'
export * from './channel-routing.ts'
export * from './channel-transfer.ts'
export * from './channel-upstream.ts'

/** One Hub has two base paths for this resource: `/api/channel`, and `/api/channel_tag` for all channels of a tag. */
const withPathPrefix = <E extends Endpoints>(prefix: string, endpoints: E): E =>
  Object.fromEntries(
    Object.entries(endpoints).map(([name, each]) => [
      name,
      { ...each, path: `${prefix}${each.path}` },
    ]),
  ) as E

/** The progress of a test or balance update of all channels, one after the other. */
export const ChannelBatchRun = z.object({
  kind: z.enum(['test', 'balance']),
  started_at: z.number(),
  /** 0: still running. */
  ended_at: z.number(),
  total: z.number(),
  done: z.number(),
  disabled: z.number(),
  enabled: z.number(),
  /** Keys of channels with several that a test enabled again. */
  enabled_keys: z.number(),
  /** Tests that a vendor would have charged, and that had nothing to read instead. */
  untested: z.number(),
  /** At most 100. */
  failed: z.array(z.object({ id: z.number(), name: z.string(), reason: z.string() })),
})
export type ChannelBatchRun = z.output<typeof ChannelBatchRun>

const singleChannel = {
  list: get('/', {
    access: 'admin',
    input: ListQuery.omit({ keyword: true }).extend({
      order: orderQuery(
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
      ...ChannelFilter.shape,
    }),
    response: pageOf(Channel),
    summary: 'Channels; `key` finds the channel with exactly this key',
  }),
  models: get('/models', {
    access: 'admin',
    input: NoInput,
    envelope: false,
    response: z.object({
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
    response: Channel,
    summary: 'One channel, without its keys',
  }),
  create: post('/', {
    access: 'admin',
    input: NewChannel,
    repeated: groupList,
    response: z.array(Channel),
    summary: 'Creates one channel per line of `key`, or one channel with all of them',
  }),
  update: put('/', {
    access: 'admin',
    input: ChannelPatch,
    ignored: channelState,
    repeated: groupList,
    response: Channel,
    summary: 'Changes the given fields only',
  }),
  copy: post('/:id/copy', {
    access: 'admin',
    input: Id,
    response: Channel,
    summary: 'Creates a disabled copy, keys included',
  }),
  removeDisabled: del('/disabled', {
    access: 'admin',
    input: NoInput,
    response: z.number(),
    summary: 'Deletes all disabled channels; returns their number',
  }),
  removeMany: del('/batch', {
    access: 'admin',
    input: z.object({
      /** One Hub's console names the operation. */
      value: z.literal('batch_delete').optional(),
      ids: z.array(z.number().int().positive()).min(1).max(1000),
    }),
    response: z.number(),
    summary: 'Deletes channels; returns their number',
  }),
  remove: del('/:id', {
    access: 'admin',
    input: Id,
    response: NoData,
    summary: 'Deletes a channel',
  }),
  test: post('/test/:id', {
    access: 'admin',
    input: Id.extend({
      model: z.string().max(200).optional(),
      /** Tests this key alone. */
      fingerprint: KeyByFingerprint.shape.fingerprint.optional(),
    }),
    response: z.object({
      time: z.number().meta({ description: 'seconds; 0 without a call' }),
      model: z.string(),
      kind: TestKind,
    }),
    summary:
      'Sends one small call through the channel, free of charge; where each call would be charged, reads only',
  }),
  testAll: post('/test', {
    access: 'admin',
    input: NoInput,
    response: ChannelBatchRun,
    summary: 'Starts a test of all channels, one after the other; `rounds` has its progress',
  }),
  updateBalance: post('/update_balance/:id', {
    access: 'admin',
    input: Id,
    response: z.object({ balance: z.number(), currency: z.string() }),
    summary: 'Queries the balance of the account at the provider',
  }),
  updateBalances: post('/update_balance', {
    access: 'admin',
    input: NoInput,
    response: ChannelBatchRun,
    summary: 'Starts a balance update of every enabled channel whose provider supports it',
  }),
  rounds: get('/rounds', {
    access: 'admin',
    input: NoInput,
    response: z.array(ChannelBatchRun),
    summary: 'The last test and the last balance update of all channels, or the running ones',
  }),
  keys: get('/:id/keys', {
    access: 'admin',
    input: Id,
    response: z.array(ChannelKey),
    summary: 'The state of each key of a channel, without the keys',
  }),
  addKeys: post('/:id/keys', {
    access: 'admin',
    input: NewKeys,
    response: z.array(ChannelKey),
    summary: 'Adds keys to a channel, one per line; known ones stay as they are',
  }),
  setKey: put('/:id/keys/:fingerprint', {
    access: 'admin',
    input: KeyByFingerprint.extend({ status: z.union([z.literal(1), z.literal(2)]) }),
    response: z.array(ChannelKey),
    summary: 'Enables or disables one key',
  }),
  removeKey: del('/:id/keys/:fingerprint', {
    access: 'admin',
    input: KeyByFingerprint,
    response: z.array(ChannelKey),
    summary: 'Removes one key',
  }),
  changes: get('/:id/changes', {
    access: 'admin',
    input: Id,
    response: z.array(ChannelChange),
    summary:
      'The last 200 changes of the state of a channel and its keys, newest first, with their evidence',
  }),
  lastCheck: lastChannelCheck,
  leaveTag: del('/:id/tag', {
    access: 'admin',
    input: Id,
    response: NoData,
    summary: 'Removes a channel from its tag',
  }),
  fetchModels: post('/provider_models_list', {
    access: 'admin',
    input: ProviderAccount,
    response: z.array(z.string()),
    summary:
      'The model list of a provider; absent fields are those of the channel `id`, whose key is sent to its own address only',
  }),
}

export const channels = resource('/api', {
  check: runChannelCheck,
  ...withPathPrefix('/channel', channelBatches),
  ...withPathPrefix('/channel', channelTransfer),
  ...withPathPrefix('/channel', channelBalances),
  ...withPathPrefix('/channel', channelFigures),
  ...withPathPrefix('/channel', channelCaches),
  ...withPathPrefix('/channel', channelRouting),
  ...withPathPrefix('/channel', channelUpstream),
  ...withPathPrefix('/channel', channelCosts),
  ...withPathPrefix('/channel', singleChannel),
  ...withPathPrefix('/channel_tag', channelTags),
})
