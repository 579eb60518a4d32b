import { z } from 'zod'
import { FileResponse, get, NoInput, resource, Seconds } from './resource.ts'

/** What a series of figures is of. `model_type`: the owner of the model, as in One Hub. */
export const AnalyticsGroup = z.enum(['model_type', 'model', 'channel', 'user', 'group'])
export type AnalyticsGroup = z.output<typeof AnalyticsGroup>

const Day = z.iso.date()
const periodDaysMax = 366
const daySeconds = 86_400
/** The end of the year 9999. */
const secondsMax = 253_402_300_799
/** The site's time zone parts days, so that a period may be a day longer than its dates. */
const isShort = ({ start_timestamp: start, end_timestamp: end }: PeriodTimes) =>
  end - start <= (periodDaysMax + 1) * daySeconds
type PeriodTimes = { start_timestamp: number; end_timestamp: number }

export const AnalyticsPeriod = z
  .object({
    /** Seconds. The whole days of both are counted, in the time zone of the site. */
    start_timestamp: Seconds.min(0).max(secondsMax),
    end_timestamp: Seconds.min(0).max(secondsMax),
    group_type: AnalyticsGroup.default('model_type'),
    /** 0: all users. */
    user_id: z.number().int().min(0).default(0),
  })
  .refine(({ start_timestamp, end_timestamp }) => start_timestamp <= end_timestamp, {
    path: ['end_timestamp'],
    message: 'must not be before the start',
  })
  .refine(isShort, { path: ['end_timestamp'], message: `at most ${periodDaysMax} days` })
export type AnalyticsPeriod = z.output<typeof AnalyticsPeriod>

/** The figures of a day and one key. */
export const AnalyticsDay = z.object({
  /** `YYYY-MM-DD` in the time zone of the site. */
  Date: z.string(),
  /** The name of the channel, model, owner, user or group, as One Hub calls it. Empty: all others. */
  Channel: z.string(),
  /** Of a channel or user; 0 for others. */
  Id: z.number(),
  RequestCount: z.number(),
  /** Points. */
  Quota: z.number(),
  PromptTokens: z.number(),
  CompletionTokens: z.number(),
  /** Milliseconds of all calls together. 0: not known, for days that an older release summed. */
  RequestTime: z.number(),
})
export type AnalyticsDay = z.output<typeof AnalyticsDay>

export const AnalyticsFigures = z.object({
  /** The days of the period, also those without any figure. */
  days: z.array(z.string()),
  /** False while logs of before an upgrade are counted: figures are too low. */
  complete: z.boolean(),
  channel_statistics: z.array(AnalyticsDay),
  user_statistics: z.array(
    z.object({ date: z.string(), user_count: z.number(), inviter_user_count: z.number() }),
  ),
  redemption_statistics: z.array(
    z.object({ date: z.string(), quota: z.number(), user_count: z.number() }),
  ),
  order_statistics: z.array(
    z.object({
      date: z.string(),
      order_currency: z.string(),
      /** In units of the currency. */
      order_amount: z.number(),
      /** Points. */
      quota: z.number(),
    }),
  ),
})
export type AnalyticsFigures = z.output<typeof AnalyticsFigures>

export const AnalyticsTotals = z.object({
  user_statistics: z.object({
    /** Points: balances, and what was spent ever. */
    total_quota: z.number(),
    total_used_quota: z.number(),
    total_user: z.number(),
    total_inviter_user: z.number(),
  }),
  channel_statistics: z.array(z.object({ total_channels: z.number(), status: z.number() })),
  redemption_statistic: z.array(
    z.object({ count: z.number(), quota: z.number(), status: z.number() }),
  ),
  order_statistics: z.array(
    z.object({
      quota: z.number(),
      /** In units of the currency. */
      money: z.number(),
      order_currency: z.string(),
    }),
  ),
})
export type AnalyticsTotals = z.output<typeof AnalyticsTotals>

const usersMax = 20
const Usernames = z
  .string()
  .transform(text => [...new Set(text.split(',').map(each => each.trim()))].filter(Boolean))
  .refine(names => names.length > 0, 'required')
  .refine(names => names.length <= usersMax, `at most ${usersMax} users`)

const UsersPeriod = z
  .object({
    /** A comma list. */
    usernames: Usernames,
    start_time: Day,
    /** Included. */
    end_time: Day,
  })
  .refine(({ start_time, end_time }) => start_time <= end_time, {
    path: ['end_time'],
    message: 'must not be before the start',
  })
  .refine(
    ({ start_time, end_time }) =>
      Date.parse(end_time) - Date.parse(start_time) < periodDaysMax * daySeconds * 1000,
    { path: ['end_time'], message: `at most ${periodDaysMax} days` },
  )
export type UsersPeriod = z.output<typeof UsersPeriod>

const ComparedUser = z.object({
  username: z.string(),
  request_count: z.number(),
  /** Points. */
  quota: z.number(),
  prompt_tokens: z.number(),
  completion_tokens: z.number(),
  /** Milliseconds of all calls together. */
  request_time: z.number(),
})
export type ComparedUser = z.output<typeof ComparedUser>

/** One Hub's form, with `model_usage` beside `data`. */
export const ComparedUsers = z.object({
  success: z.literal(true),
  message: z.string(),
  data: z.array(ComparedUser),
  model_usage: z.array(
    z.object({ username: z.string(), model_name: z.string(), request_count: z.number() }),
  ),
})
export type ComparedUsers = z.output<typeof ComparedUsers>

export const analytics = resource('/api/analytics', {
  statistics: get('/statistics', {
    access: 'admin',
    input: NoInput,
    response: AnalyticsTotals,
    summary: 'Sums over all users, channels, redemption codes and orders',
  }),
  period: get('/period', {
    access: 'admin',
    input: AnalyticsPeriod,
    response: AnalyticsFigures,
    summary: 'Charged calls, sign-ups, redeemed codes and orders by day',
  }),
  export: get('/period/export', {
    access: 'admin',
    input: AnalyticsPeriod,
    response: FileResponse,
    file: true,
    summary: 'The charged calls of a period by day as CSV',
  }),
  users: get('/multi_user_stats', {
    access: 'admin',
    input: UsersPeriod,
    response: ComparedUsers,
    envelope: false,
    summary: 'Charged calls of some users, and the models that they called',
  }),
  exportUsers: get('/multi_user_stats/export', {
    access: 'admin',
    input: UsersPeriod,
    response: FileResponse,
    file: true,
    summary: 'The same as CSV',
  }),
})
