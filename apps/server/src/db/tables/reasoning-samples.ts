/** Hidden reasoning of finished streams, for the estimates of streams that were left. */
export type ReasoningSamplesTable = {
  /** The model as it is billed. */
  model: string
  /** The effort that was asked for: `unset`, `on`, `high`, `budget-4096`, … */
  level: string
  user_id: number
  /** From 0: a user's later calls replace his earlier ones. */
  slot: number
  tokens: number
  /** Output tokens, hidden ones included, by the seconds since the request was sent. */
  tokens_per_second: number
  /** Milliseconds. */
  at: number
}
