import { z } from 'zod'
import { limitFields, limitShape } from './limits.ts'
import {
  del,
  get,
  Id,
  ListQuery,
  NoData,
  NoInput,
  orderQuery,
  Points,
  pageOf,
  patchOf,
  post,
  put,
  resource,
  rowFields,
} from './resource.ts'

/** 1 enabled, 2 disabled, 3 expired, 4 exhausted. 3 and 4 are computed from expiry and cap. */
export const TokenStatus = z.union([z.literal(1), z.literal(2), z.literal(3), z.literal(4)])

const Limits = z.object({
  limit_model_setting: z
    .object({
      enabled: z.boolean().default(false),
      models: z.array(z.string().min(1).max(200)).max(1000).default([]),
    })
    .default({ enabled: false, models: [] }),
  limits_ip_setting: z
    .object({
      enabled: z.boolean().default(false),
      whitelist: z
        .array(
          z.union(
            [z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()],
            'must be an IP address or a range like 10.0.0.0/8',
          ),
        )
        .max(200)
        .default([]),
    })
    .default({ enabled: false, whitelist: [] }),
})
const noLimits = {
  limit_model_setting: { enabled: false, models: [] },
  limits_ip_setting: { enabled: false, whitelist: [] },
}
const noHeartbeat = { enabled: false, timeout_seconds: 30 }
/** Pings the caller once no answer has begun for this long, so that no proxy in between gives up. */
const Heartbeat = z.object({
  enabled: z.boolean().default(false),
  timeout_seconds: z.number().int().min(0).max(90).default(30),
})
export const TokenSetting = z.object({
  heartbeat: Heartbeat.default(noHeartbeat),
  limits: Limits.default(noLimits),
  /**
   * A user group that the charges of the token are counted for; prices stay those of `group`. Only administrators see and
   * set it. Null or empty: none. A change that leaves it out keeps it.
   */
  billing_tag: z.string().max(50).nullable().optional(),
})
export type TokenSetting = z.output<typeof TokenSetting>

export const Token = z.object({
  id: z.number(),
  user_id: z.number(),
  name: z.string(),
  /** Masked: only the beginning and the last four characters. */
  key: z.string(),
  /** False: another gateway stored only the hash of the key, so that nobody can show it. */
  revealable: z.boolean(),
  status: TokenStatus,
  created_time: z.number(),
  accessed_time: z.number(),
  /** -1: never. */
  expired_time: z.number(),
  /** A cap; the balance belongs to the account. 0 if unlimited. */
  remain_quota: z.number(),
  unlimited_quota: z.boolean(),
  used_quota: z.number(),
  /** Empty: the group of the user. */
  group: z.string(),
  /** The group whose channels and prices serve where `group` has no channel, or its channels fail. Empty: none. */
  backup_group: z.string(),
  /** Equal requests are answered out of the response cache, free of charge. `enableCache` of older clients. */
  chat_cache: z.boolean(),
  /** Requests per minute, in addition to the limit of the group. Null: none. */
  api_rate: z.number().nullable(),
  ...limitFields,
  setting: TokenSetting,
})
export type Token = z.output<typeof Token>

/** A token with its owner, for administrators. */
export const OwnedToken = Token.extend({
  /** Display name, or else username. */
  owner_name: z.string(),
})
export type OwnedToken = z.output<typeof OwnedToken>

/** The name of the token that the playground of the console uses. */
export const playgroundTokenName = 'sys_playground'

/** Room for 200 long model names and 200 addresses; each cached token holds its setting in memory. */
const settingCharactersMax = 16_384
const NewSetting = TokenSetting.refine(
  ({ heartbeat }) => !heartbeat.enabled || heartbeat.timeout_seconds >= 30,
  { error: 'must be from 30 to 90 seconds', path: ['heartbeat', 'timeout_seconds'] },
).refine(
  setting => JSON.stringify(setting).length <= settingCharactersMax,
  'is too large: list fewer models or addresses',
)

export const NewToken = z.object({
  name: z.string().trim().min(1).max(30),
  expired_time: z.number().int().min(-1).default(-1),
  unlimited_quota: z.boolean().default(true),
  remain_quota: Points.default(0),
  group: z.string().max(50).default(''),
  backup_group: z.string().max(50).default(''),
  chat_cache: z.boolean().default(false),
  api_rate: z.number().int().min(1).max(1_000_000).nullable().default(null),
  ...limitShape,
  setting: NewSetting.default({ heartbeat: noHeartbeat, limits: noLimits }),
})
export const TokenPatch = patchOf(NewToken).extend({
  id: z.number().int().positive(),
  status: z.union([z.literal(1), z.literal(2)]).optional(),
  /** Query parameter: only `status` of the body is applied. */
  status_only: z.string().optional(),
})

/** Equal tokens. Several are told apart by a number at the end of their names. */
export const NewTokens = NewToken.extend({
  count: z.number().int().min(1).max(100).default(1),
}).refine(({ name, count }) => count === 1 || `${name}-${count}`.length <= 30, {
  error: 'must leave room for a number at its end',
  path: ['name'],
})

const tokenIds = z.array(z.number().int().positive()).min(1).max(100)

/** The fields that may change in many tokens at once. A cap is given whole, so that it is the same for each of them. */
export const TokensPatch = TokenPatch.pick({
  status: true,
  expired_time: true,
  group: true,
  unlimited_quota: true,
  remain_quota: true,
})
  .extend({ ids: tokenIds })
  .refine(
    ({ unlimited_quota, remain_quota }) =>
      unlimited_quota === true || (unlimited_quota === false) === (remain_quota !== undefined),
    { error: 'must be sent together with `unlimited_quota: false`', path: ['remain_quota'] },
  )

/** Given: the token moves to this user, whose balance pays from then on. */
export const AdminTokenPatch = TokenPatch.omit({ status_only: true }).extend({
  user_id: z.number().int().positive().optional(),
})

const tokenOrder = orderQuery(
  'id',
  'name',
  'status',
  'expired_time',
  'created_time',
  'remain_quota',
  'used_quota',
)

const unsupported = ['enableCache', 'enable_cache']

export const tokens = resource('/api/token', {
  list: get('/', {
    access: 'user',
    input: ListQuery.extend({
      order: tokenOrder,
    }),
    response: pageOf(Token),
    summary: 'The caller’s own API keys; `keyword` is the beginning of a name',
  }),
  get: get('/:id', {
    access: 'user',
    input: Id,
    response: Token,
    summary: 'One of the caller’s API keys',
  }),
  create: post('/', {
    access: 'user',
    input: NewToken,
    unsupported,
    response: Token.extend({ key: z.string() }),
    summary: 'Creates an API key; only this response has the complete key',
  }),
  update: put('/', {
    access: 'user',
    input: TokenPatch,
    query: ['status_only'],
    ignored: rowFields(
      Token,
      'user_id',
      'key',
      'revealable',
      'created_time',
      'accessed_time',
      'used_quota',
    ),
    unsupported,
    response: Token,
    summary: 'Changes an API key',
  }),
  createMany: post('/batch', {
    access: 'user',
    input: NewTokens,
    unsupported,
    response: z.array(Token.extend({ key: z.string() })),
    summary:
      'Creates 1 to 100 API keys, all or none; several are named `name-1` and so on; only this response has the complete keys',
  }),
  updateMany: put('/batch', {
    access: 'user',
    input: TokensPatch,
    response: z.number(),
    summary: 'Changes chosen API keys of the caller, all or none; returns their number',
  }),
  removeMany: del('/batch', {
    access: 'user',
    input: z.object({ ids: tokenIds }),
    response: z.number(),
    summary: 'Deletes chosen API keys of the caller, all or none; returns their number',
  }),
  playground: post('/playground', {
    access: 'user',
    input: NoInput,
    response: z.string(),
    audit: true,
    summary:
      'The key of the caller’s token `sys_playground`, which the first call creates; counts as revealing a key',
  }),
  reveal: post('/:id/reveal', {
    access: 'user',
    input: Id,
    response: z.object({ key: z.string() }),
    audit: true,
    summary: 'The complete key, for its owner; at most 30 per hour',
  }),
  remove: del('/:id', {
    access: 'user',
    input: Id,
    response: NoData,
    summary: 'Deletes an API key',
  }),
  search: get('/admin/search', {
    access: 'admin',
    input: ListQuery.extend({
      order: tokenOrder,
      user_id: z.number().int().positive().optional(),
      token_id: z.number().int().positive().optional(),
    }),
    response: pageOf(OwnedToken),
    summary: 'API keys of all users; `keyword` is the beginning of the name of a key or its owner',
  }),
  updateOfUser: put('/admin', {
    access: 'admin',
    input: AdminTokenPatch,
    ignored: rowFields(
      OwnedToken,
      'key',
      'revealable',
      'created_time',
      'accessed_time',
      'used_quota',
      'owner_name',
    ),
    unsupported,
    response: OwnedToken,
    summary: 'Changes an API key of a user of a lower role, or moves it to another one',
  }),
  removeOfUser: del('/admin/:id', {
    access: 'admin',
    input: Id,
    response: NoData,
    summary: 'Deletes an API key of a user of a lower role',
  }),
})
