import { z } from 'zod'
import { get, Id } from './resource.ts'

/** `wallet`: money of the account. `key`: the quota of the key. `window`: a limit that refills. Empty: unknown. */
export const balanceKinds = ['wallet', 'key', 'window', ''] as const

/** `days`: lasts for too few. `below`: the channel's own limit. Empty: no warning. */
export const balanceWarnings = ['', 'days', 'below', 'empty'] as const

const state = {
  kind: z.enum(balanceKinds),
  /** Seconds: how long the last balance lasts at the consumption of the last days. Null: unknown. */
  until: z.number().nullable(),
  warning: z.enum(balanceWarnings),
}

export const ChannelBalances = z.object({
  channels: z.array(
    z.object({
      id: z.number(),
      ...state,
      /** The balances of the last 7 days, oldest first, at most 28. */
      points: z.array(z.number()),
    }),
  ),
})
export type ChannelBalances = z.output<typeof ChannelBalances>

export const BalanceReading = z.object({
  /** Seconds. */
  at: z.number(),
  /** A decimal in text. */
  amount: z.string(),
  currency: z.string(),
  kind: z.enum(balanceKinds),
})

export const ChannelBalanceHistory = z.object({
  /** False: the channel type has no balance query, or the server at this address refuses it. */
  is_offered: z.boolean(),
  /** Seconds of the last attempt. 0: none. */
  checked_at: z.number(),
  ...state,
  /** The consumption of a day, in the currency of the last reading. Null: unknown. */
  per_day: z.number().nullable(),
  /** The channel's own limit. 0: none. */
  below: z.number(),
  /** Oldest first: the last reading of each of at most 180 equal parts of the period. */
  readings: z.array(BalanceReading),
})
export type ChannelBalanceHistory = z.output<typeof ChannelBalanceHistory>

export const channelBalances = {
  balances: get('/balances', {
    access: 'admin',
    input: z.object({
      /** Numbers with commas between them. */
      ids: z.string().regex(/^\d{1,9}(,\d{1,9}){0,99}$/, 'must be at most 100 numbers with commas'),
    }),
    response: ChannelBalances,
    summary: 'The balances of channels in the last 7 days, and how long they last',
  }),
  balanceHistory: get('/:id/balances', {
    access: 'admin',
    input: Id.extend({ days: z.number().int().min(1).max(90).default(30) }),
    response: ChannelBalanceHistory,
    summary: 'The readings of the balance of a channel, and how long it lasts',
  }),
}
