import { z } from 'zod'
import { FirstSteps } from './first-steps.ts'
import { type NewRule, newRules } from './new-rules.ts'
import { get, NoData, NoInput, post, resource, Seconds } from './resource.ts'

/**
 * The last 60 minutes, the last 24 hours, or 1, 7 or 30 calendar days of the site's time zone that end with today. A
 * minute or hour that has begun counts as a whole one.
 */
export const Period = z.enum(['hour', 'day', 'today', 'week', 'month'])
export type Period = z.output<typeof Period>

const UsageTotals = z.object({
  /** Points. */
  charged: z.number(),
  /** Charged calls, also those that cost 0 points. */
  requests: z.number(),
  failed: z.number(),
  /** Failed calls of which a part was charged: they count as requests too. */
  charged_failures: z.number(),
  prompt_tokens: z.number(),
  completion_tokens: z.number(),
})
export type UsageTotals = z.output<typeof UsageTotals>

const TopRow = z.object({
  /** Id of a user or channel; 0 where a charge has none. */
  id: z.number(),
  /** Empty: it was deleted for good, or the charge has none. */
  name: z.string(),
  charged: z.number(),
  requests: z.number(),
  failed: z.number(),
})
export type TopRow = z.output<typeof TopRow>

const TimeSpan = z.object({
  /** Seconds, included. */
  begin: z.number(),
  /** Seconds, not included. */
  end: z.number(),
})

export const OperationsOverview = z.object({
  current: TimeSpan,
  /** As long before, up to the same quarter of an hour. */
  previous: TimeSpan,
  /** False while logs of before an upgrade are counted: figures are too low. */
  complete: z.boolean(),
  /** False while the site writes no logs of calls: figures are too low. */
  logging: z.boolean(),
  totals: UsageTotals,
  previous_totals: UsageTotals,
  /** Users with a call, also a failed one. */
  active_users: z.number(),
  new_users: z.number(),
  /** Points of redeemed codes and paid orders. */
  credited: z.number(),
  latency: z.object({
    /** The latest charged calls that the medians are of. */
    calls: z.number(),
    /** Milliseconds. Null: there is no such call. */
    first_byte: z.number().nullable(),
    duration: z.number().nullable(),
  }),
  /** One for each two minutes of the last hour, for each hour of the last 24 or of today, or for each day. */
  points: z.array(
    z.object({
      begin: z.number(),
      charged: z.number(),
      requests: z.number(),
      failed: z.number(),
    }),
  ),
  /** At most 8 of each, by charge. */
  models: z.array(TopRow),
  users: z.array(TopRow),
  channels: z.array(TopRow),
  /** By symbol. Charges of a token with a billing tag count for the group that the tag names. */
  groups: z.array(TopRow),
})
export type OperationsOverview = z.output<typeof OperationsOverview>

/** `requests`: charged calls. `latency`: milliseconds of a charged call on average. `errors`: failed calls. */
export const SeriesFigure = z.enum(['charged', 'requests', 'tokens', 'latency', 'errors'])
export type SeriesFigure = z.output<typeof SeriesFigure>

/** The attribute of a call that parts the figures. */
export const SeriesAttribute = z.enum(['model', 'channel', 'user', 'group'])
export type SeriesAttribute = z.output<typeof SeriesAttribute>

/** A sum, or for `latency` the average. Null: there is no charged call with a known duration. */
const Value = z.number().nullable()

export const OperationsSeries = z.object({
  /** False while logs of before an upgrade are counted: figures are too low. */
  complete: z.boolean(),
  buckets: z.array(TimeSpan),
  /** The figure of all calls of the period. */
  total: Value,
  /** At most 8 with a name, the largest first, then all others together, which have neither id nor name. */
  series: z.array(
    z.object({
      /** Id of a user or channel; 0 for models, groups and the others. */
      id: z.number(),
      /** A user or channel that was deleted for good is named `#` and its id. */
      name: z.string(),
      total: Value,
      /** One value for each bucket. */
      data: z.array(Value),
    }),
  ),
})
export type OperationsSeries = z.output<typeof OperationsSeries>

/** How the answer of a charged call ended. */
export const CallEnd = z.enum(['complete', 'caller-left', 'upstream-broke', 'cut', 'lost'])
export type CallEnd = z.output<typeof CallEnd>

export const LiveCall = z.object({
  id: z.number(),
  /** Seconds: the end of the call. */
  created_at: z.number(),
  username: z.string(),
  token_name: z.string(),
  model_name: z.string(),
  channel_id: z.number(),
  /** Empty: no channel served it, or it was deleted for good. */
  channel: z.string(),
  /** Milliseconds. */
  request_time: z.number(),
  is_stream: z.boolean(),
  /** Points. */
  quota: z.number(),
  /** The fault code of a failed call, otherwise empty. */
  code: z.string(),
  /** Null for failed calls, and where the row does not say. */
  finish: CallEnd.nullable(),
  /** The number of equal errors that the row stands for. */
  count: z.number(),
})
export type LiveCall = z.output<typeof LiveCall>

export const LiveCalls = z.object({ calls: z.array(LiveCall) })
export type LiveCalls = z.output<typeof LiveCalls>

export const AttentionReason = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('cooldown'),
    /** At most 5. Empty: the whole channel. */
    models: z.array(z.string()),
    seconds: z.number(),
  }),
  /** The gateway disabled it. */
  z.object({ kind: z.literal('disabled'), detail: z.string() }),
  /** Calls that the channel answered in the last hour, and attempts at it that failed. */
  z.object({ kind: z.literal('failing'), requests: z.number(), failed: z.number() }),
  z.object({ kind: z.literal('test'), detail: z.string(), at: z.number() }),
  z.object({
    kind: z.literal('balance'),
    balance: z.number(),
    currency: z.string(),
    /** `low`: below 5, of a balance that has neither a limit of its own nor a forecast. */
    warning: z.enum(['empty', 'below', 'days', 'low']),
    /** Seconds. Null: unknown. */
    until: z.number().nullable(),
    /** The channel's own limit. 0: none. */
    below: z.number(),
  }),
  /** The upstream changed the multiplier of the channel's group. */
  z.object({
    kind: z.literal('ratio'),
    group: z.string(),
    before: z.string(),
    after: z.string(),
    at: z.number(),
  }),
  /** Models that the watch of the vendor's list proposes to add and to remove. */
  z.object({ kind: z.literal('models'), added: z.number(), removed: z.number() }),
])
export type AttentionReason = z.output<typeof AttentionReason>

/** Services outside of the gateway whose calls may fail in silence. */
export const services = [
  'mail',
  'notifier',
  'payment',
  'price_list',
  'bot',
  'task_storage',
  'balance',
  'model_list',
] as const
export type Service = (typeof services)[number]

const Problem = z.object({
  /**
   * `address`: it is unset or leads to one machine. `incomplete`: a switch is on and lacks settings. `below_cost`: the model
   * `name` costs more at the channel `id` than it is sold for, by `detail` USD in a week.
   */
  kind: z.enum([
    ...services,
    'backup',
    'backup_late',
    'job',
    'address',
    'incomplete',
    'below_cost',
  ]),
  /** The target, gateway or channel; otherwise 0. */
  id: z.number(),
  /** The name of that row or job, or the key of the switch. */
  name: z.string(),
  /** Users of the address: switches, `payment_gateways`, `oauth_providers`. Or the settings that a switch lacks. */
  keys: z.array(z.string()),
  /** A fault code, or `unset` or `loopback` of an address. */
  code: z.string(),
  detail: z.string(),
  /** Seconds: the first failure after the last success; the last success of `backup_late` and `job`. 0: unknown. */
  since: z.number(),
  failures: z.number(),
})
export type Problem = z.output<typeof Problem>

const ruleNames = Object.keys(newRules) as NewRule[]

/** Told until a super administrator has read it. */
const NewRules = z.object({
  /** Seconds: when this release came. */
  since: z.number(),
  /** With the calls that each has refused since the day of `since`. */
  rules: z.array(
    z.object({
      rule: z.enum(ruleNames),
      /** The fault code of the refusals; empty where the rule refuses no call. */
      code: z.string(),
      refused: z.number(),
    }),
  ),
})

export const OperationsAttention = z.object({
  problems: z.array(Problem),
  /** Null on a site that began with this release, or whose super administrator has read them. */
  new_rules: NewRules.nullable(),
  /** At most 20. */
  channels: z.array(
    z.object({ id: z.number(), name: z.string(), reasons: z.array(AttentionReason) }),
  ),
  channel_count: z.number(),
  disabled_by_hand: z.number(),
  /** The first second that the codes are counted from. */
  errors_since: z.number(),
  /** Failed calls by fault code, at most 10, the most frequent first. */
  errors: z.array(z.object({ code: z.string(), count: z.number() })),
})
export type OperationsAttention = z.output<typeof OperationsAttention>

export const operations = resource('/api/operations', {
  overview: get('/overview', {
    access: 'admin',
    input: z.object({ period: Period.default('today') }),
    response: OperationsOverview,
    summary: 'Charges, calls, failures and users of the whole site',
  }),
  series: get('/series', {
    access: 'admin',
    input: z.object({
      period: Period.default('day'),
      figure: SeriesFigure.default('charged'),
      by: SeriesAttribute.default('model'),
    }),
    response: OperationsSeries,
    summary: 'One figure of the whole site by time, and by model, channel, user or group',
  }),
  calls: get('/calls', {
    access: 'admin',
    input: z.object({
      /** Seconds. Calls that ended a few seconds before come again, because rows may be written late. */
      since: Seconds.min(0).optional(),
    }),
    response: LiveCalls,
    summary: 'The latest calls of all users as they end, at most 30, newest first',
  }),
  attention: get('/attention', {
    access: 'admin',
    input: NoInput,
    response: OperationsAttention,
    summary:
      'Services, settings and channels that need attention, and the fault codes of the last 24 hours',
  }),
  readRules: post('/rules_read', {
    access: 'root',
    input: NoInput,
    response: NoData,
    summary: 'Tells the new rules of this release no longer',
  }),
  firstSteps: get('/first_steps', {
    access: 'admin',
    input: NoInput,
    response: FirstSteps,
    summary: 'What an installation still lacks before a call is answered',
  }),
})
