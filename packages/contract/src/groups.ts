import { z } from 'zod'
import { limitFields, limitShape } from './limits.ts'
import { moneyNumber } from './money-bounds.ts'
import {
  del,
  get,
  Id,
  ListQuery,
  NoData,
  NoInput,
  orderQuery,
  pageOf,
  patchOf,
  post,
  put,
  resource,
  rowFields,
} from './resource.ts'

export const Group = z.object({
  id: z.number(),
  /** The unique name in users, tokens and channels. It cannot be changed. */
  symbol: z.string(),
  name: z.string(),
  /** Multiplies every price. */
  ratio: z.number(),
  /** Requests per minute. */
  api_rate: z.number(),
  /** Limits per user of the group. */
  ...limitFields,
  /** Every user may choose it for a token. */
  public: z.boolean(),
  enable: z.boolean(),
  /** Users whose top-ups reach `min` USD, and stay below `max` unless it is 0, are moved here. */
  promotion: z.boolean(),
  min: z.number(),
  max: z.number(),
})
export type Group = z.output<typeof Group>

/** Whole dollars of all top-ups. */
const Usd = z.number().int().min(0).max(1_000_000_000)

export const NewGroup = z.object({
  symbol: z
    .string()
    .trim()
    .regex(/^[A-Za-z0-9][A-Za-z0-9_-]{0,49}$/, 'letters, digits, _ and - only'),
  name: z.string().trim().min(1).max(50),
  ratio: moneyNumber('groupRatio').default(1),
  api_rate: z.number().int().min(1).max(1_000_000).default(600),
  ...limitShape,
  public: z.boolean().default(false),
  enable: z.boolean().default(true),
  promotion: z.boolean().default(false),
  min: Usd.default(0),
  max: Usd.default(0),
})
export const GroupPatch = patchOf(NewGroup.omit({ symbol: true, enable: true })).extend({
  id: z.number().int().positive(),
})

export const groups = resource('/api', {
  list: get('/user_group/', {
    access: 'admin',
    input: ListQuery.extend({
      order: orderQuery('id', 'symbol', 'name', 'ratio', 'api_rate', 'public', 'enable'),
      enable: z.boolean().optional(),
    }),
    response: pageOf(Group),
    summary: 'User groups',
  }),
  get: get('/user_group/:id', {
    access: 'admin',
    input: Id,
    response: Group,
    summary: 'One user group',
  }),
  create: post('/user_group/', {
    access: 'admin',
    input: NewGroup,
    response: Group,
    summary: 'Creates a user group',
  }),
  update: put('/user_group/', {
    access: 'admin',
    input: GroupPatch,
    ignored: rowFields(Group, 'symbol', 'enable'),
    response: Group,
    summary: 'Changes a user group',
  }),
  toggle: put('/user_group/enable/:id', {
    access: 'admin',
    input: Id,
    response: Group,
    summary: 'Enables or disables a user group; `default` stays enabled',
  }),
  remove: del('/user_group/:id', {
    access: 'admin',
    input: Id,
    response: NoData,
    summary: 'Deletes a user group that nobody uses; `default` stays',
  }),
  symbols: get('/group/', {
    access: 'admin',
    input: NoInput,
    response: z.array(z.string()),
    summary: 'Symbols of the enabled groups',
  }),
  map: get('/user_group_map', {
    access: 'optional',
    input: NoInput,
    response: z.record(z.string(), Group),
    summary: 'Public groups and the caller’s own, by symbol',
  }),
})
