/** A reading of the balance of a channel's account at its vendor. */
export type ChannelBalancesTable = {
  channel_id: number
  /** Unix seconds. */
  at: number
  /** A decimal in text, so that no digit is lost. */
  amount: string
  currency: string
  /** `wallet`, `key` or `window`. Empty: the vendor does not say. */
  kind: string
}

/** The meaning of a channel's readings, with its warning. A channel without an attempt has no row. */
export type ChannelBalanceStatesTable = {
  channel_id: number
  /** Unix seconds of the last attempt. */
  checked_at: number
  /** Unix seconds; 0: unknown. */
  lasts_until: number
  /** As in `channel_balances`. */
  kind: string
  /** `empty`, `below` the channel's own limit, or lasts for too few `days`. Empty: no warning. */
  warning: string
  /** The last message to administrators since the balance was without a warning. 0: none. 1: low. 2: empty. */
  notified: number
}
