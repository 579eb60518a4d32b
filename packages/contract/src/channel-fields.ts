import { z } from 'zod'
import { TestKind } from './channel-routing.ts'
import { ParameterRules } from './parameter-rules.ts'
import { Price } from './prices.ts'
import { patchOf, rowFields } from './resource.ts'

/** 1 enabled, 2 disabled by hand, 3 disabled by the gateway. */
export const ChannelStatus = z.union([z.literal(1), z.literal(2), z.literal(3)])

/** JSON text of an object with text values, as One Hub stores maps. Empty: none. */
const TextMap = z
  .string()
  .max(20_000)
  .refine(text => text === '' || isTextMap(text), 'must be a JSON object whose values are text')

/** The form in which a map of models to tokens is stored: its values are digits, as those of other maps are texts. */
const ContextSizes = TextMap.refine(
  text => text === '' || !isTextMap(text) || Object.values(parsed(text) as object).every(isSize),
  'must be a JSON object whose values are whole numbers of tokens, such as {"gpt-4*": "8192"}',
)
/** Headers that frame the request or name its host; a value for them would break or redirect it. */
const framingHeaders = new Set([
  'host',
  'content-length',
  'transfer-encoding',
  'connection',
  'keep-alive',
  'upgrade',
  'te',
  'trailer',
  'expect',
  'proxy-authorization',
  'proxy-connection',
])

/** https://www.rfc-editor.org/rfc/rfc9110#section-5.6.2 */
const headerName = /^[!#$%&'*+.^_`|~\w-]+$/
// https://www.rfc-editor.org/rfc/rfc9110#section-5.5, which excludes CR, LF and NUL.
const headerValue = /^[\t\x20-\x7e\x80-\xff]*$/

const HeaderMap = TextMap.superRefine((text, context) => {
  if (text === '' || !isTextMap(text)) return
  for (const [name, value] of Object.entries(parsed(text) as Record<string, string>)) {
    if (framingHeaders.has(name.toLowerCase())) context.addIssue(`must not set ${name}`)
    else if (!headerName.test(name)) context.addIssue('has a name that is not a header name')
    else if (!headerValue.test(value))
      context.addIssue(`has a line break or another control character in ${name}`)
  }
})

const JsonObject = z
  .string()
  .max(20_000)
  .refine(text => text === '' || isObject(text), 'must be a JSON object')

/** Fields of every request of a channel, and `rules` that change them under conditions. */
const CustomParameter = JsonObject.superRefine((text, context) => {
  const { rules } = (parsed(text) ?? {}) as { rules?: unknown }
  if (rules === undefined) return
  const read = ParameterRules.safeParse(rules)
  for (const { path, message } of read.error?.issues ?? [])
    context.addIssue(
      `has a rule that cannot be obeyed: \`${['rules', ...path].join('.')}\` ${message}`,
    )
})

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
const isObject = (text: string) => {
  const value = parsed(text)
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
const isSize = (value: string) => /^[1-9]\d{0,8}$/.test(value)
const isTextMap = (text: string) =>
  isObject(text) && Object.values(parsed(text) as object).every(each => typeof each === 'string')

/** Blank entries, such as one after a last comma, are left out. */
const namesIn = (text: string) =>
  text
    .split(',')
    .map(name => name.trim())
    .filter(Boolean)

/** A comma list of model names. A name may end in `*`, but not consist of it. */
const Models = z
  .string()
  .trim()
  .min(1)
  .max(50_000)
  .refine(text => namesIn(text).length > 0, 'names no model')
  .refine(text => namesIn(text).every(name => /^[^*]+\*?$/.test(name)), '`*` may only end a name')

export const ChannelTag = z.string().trim().max(32)

const hasLogin = (text: string) => {
  const url = URL.parse(text)
  return url !== null && url.username + url.password !== ''
}

export const ChannelAddress = z.union([
  z.literal(''),
  z
    .url({ protocol: /^https?$/, hostname: /.+/ })
    .max(500)
    .refine(text => !hasLogin(text), {
      error: 'must not contain a user name or password',
      params: { fault: 'address.forbidden' },
    }),
])
export const ChannelProxy = z.union([
  z.literal(''),
  z
    .string()
    .max(500)
    .regex(/^(https?|socks5h?):\/\/.+/, 'must begin with http://, https:// or socks5://'),
])

export const ChannelFields = z.object({
  type: z.number().int().min(1),
  name: z.string().trim().min(1).max(100),
  /** Empty: the provider's address. */
  base_url: ChannelAddress.default(''),
  other: z.string().max(500).default(''),
  models: Models,
  /** A comma list of group symbols. */
  group: z.string().min(1).max(1000).default('default'),
  tag: ChannelTag.default(''),
  model_mapping: TextMap.default(''),
  model_headers: HeaderMap.meta({ secret: true }).default(''),
  custom_parameter: CustomParameter.meta({ secret: true }).default(''),
  priority: z.number().int().min(0).max(1_000_000).default(0),
  weight: z.number().int().min(1).max(1_000_000).default(1),
  proxy: ChannelProxy.meta({ secret: true }).default(''),
  test_model: z.string().max(200).default(''),
  only_chat: z.boolean().default(false),
  /** Counting of the prompt: 1 all of it, 2 without images, 3 none. */
  pre_cost: z.union([z.literal(1), z.literal(2), z.literal(3)]).default(1),
  compatible_response: z.boolean().default(false),
  allow_extra_body: z.boolean().default(false),
  disabled_stream: z.array(z.string().min(1).max(200)).max(1000).default([]),
  /** The tokens that a prompt may have, by model; a name may end in `*`. Models without an entry are not filtered. */
  context_sizes: ContextSizes.default(''),
  plugin: z.record(z.string(), z.record(z.string(), z.unknown())).default({}),
  /** The order in which several keys are used: each call draws one, or takes the next. */
  key_rotation: z.enum(['random', 'round_robin']).default('random'),
})

/** Fields that are stored encrypted and never sent; a channel only says which of them are set. */
export const channelSecrets = ['proxy', 'model_headers', 'custom_parameter'] as const
export type ChannelSecret = (typeof channelSecrets)[number]

const secretMask = { proxy: true, model_headers: true, custom_parameter: true } as const

export const Channel = ChannelFields.omit(secretMask).extend({
  id: z.number(),
  status: ChannelStatus,
  /** The reason why the gateway disabled it: `test` or `failure`, and the provider's message. Empty otherwise. */
  status_reason: z.string(),
  /** Number of stored keys. The keys themselves are never sent. */
  key_count: z.number(),
  /** Number of keys that are not used, because a person or the gateway disabled them. */
  disabled_key_count: z.number(),
  created_time: z.number(),
  /** Unix seconds of the last test, passed or failed; 0: never tested. */
  test_time: z.number(),
  /** The reason why the last test failed, without secrets; empty: it passed, or none ran. */
  test_error: z.string(),
  test_kind: TestKind,
  /** Milliseconds of the last test that passed; 0: none. */
  response_time: z.number(),
  /** The balance that the vendor last reported, in `balance_currency`. */
  balance: z.number(),
  balance_currency: z.string(),
  balance_updated_time: z.number(),
  used_quota: z.number(),
  models: z.string(),
  base_url: z.string(),
  is_set: z.object({
    proxy: z.boolean(),
    model_headers: z.boolean(),
    custom_parameter: z.boolean(),
  }),
})
export type Channel = z.output<typeof Channel>

/** The fields of a channel that only the gateway writes. */
export const channelState = rowFields(
  Channel,
  'status_reason',
  'key_count',
  'disabled_key_count',
  'created_time',
  'test_time',
  'test_error',
  'test_kind',
  'response_time',
  'balance',
  'balance_currency',
  'balance_updated_time',
  'used_quota',
  'is_set',
)

/** The channel form of One Hub has a list of groups and sends it too. */
export const groupList = { groups: 'group' }

const Keys = z.string().trim().min(1).max(100_000).meta({ secret: true })

/** Prices that are stored together with a channel. A name that has a price keeps it. */
const NewPrices = z
  .array(Price)
  .max(5_000)
  .refine(list => new Set(list.map(each => each.model)).size === list.length, 'names a model twice')

export const NewChannel = ChannelFields.extend({
  /** One key per line. */
  key: Keys,
  /** Each key makes a channel (`name`, `name_2`, …), or one channel has them all. */
  key_mode: z.enum(['channel_per_key', 'one_channel']).default('channel_per_key'),
  /** 2: disabled, so that it can be tested before it gets calls. */
  status: z.union([z.literal(1), z.literal(2)]).default(1),
  prices: NewPrices.default([]),
})

const KeyFingerprint = z.string().regex(/^[0-9a-f]{12}$/, 'must be the fingerprint of a key')

/** One of a channel's keys, which itself is never sent. */
export const ChannelKey = z.object({
  /** Its place in the list, from 1, as log rows have it. */
  index: z.number(),
  /** Equal fingerprints mean equal keys. */
  fingerprint: KeyFingerprint,
  status: ChannelStatus,
  /** The reason why the gateway disabled it. Empty otherwise. */
  reason: z.string(),
  /** Unix seconds of the last change of the status; 0: none. */
  changed_at: z.number(),
})
export type ChannelKey = z.output<typeof ChannelKey>

export const KeyByFingerprint = z.object({
  id: z.number().int().positive(),
  fingerprint: KeyFingerprint,
})
export const NewKeys = z.object({ id: z.number().int().positive(), key: Keys })
/** Changes of the secret fields: absent stays unchanged, null clears. */
const SecretPatch = z.object({
  proxy: ChannelFields.shape.proxy.unwrap().nullable().optional(),
  model_headers: ChannelFields.shape.model_headers.unwrap().nullable().optional(),
  custom_parameter: ChannelFields.shape.custom_parameter.unwrap().nullable().optional(),
})
export const ChannelFieldsPatch = patchOf(ChannelFields.omit(secretMask)).extend(SecretPatch.shape)

export const ChannelPatch = ChannelFieldsPatch.extend({
  id: z.number().int().positive(),
  status: z.union([z.literal(1), z.literal(2)]).optional(),
  /** Absent or empty: unchanged. */
  key: z.string().trim().max(100_000).meta({ secret: true }).optional(),
  prices: NewPrices.optional(),
})
