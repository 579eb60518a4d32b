import type { Generated } from 'kysely'

export type PricesTable = {
  /** Unique: a name, or a prefix ending in `*`. */
  model: string
  type: 'tokens' | 'times'
  channel_type: number
  /** Decimals in text. */
  input: string
  output: string
  locked: number
  /** JSON object of decimals in text, or null. */
  extra_ratios: string | null
  /** JSON list of `{above, input, output}`, ascending, or null. */
  tiers: string | null
  /** JSON object of USD for one call, decimals in text, or null. */
  tool_prices: string | null
}

/** A price that takes effect later: it then replaces the row of the model, and this row is deleted. */
export type PriceScheduleTable = {
  model: string
  /** Seconds. */
  at: number
  /** JSON of the columns of `prices`. */
  price: string
  created_at: number
}

/** The last bulk change of prices, for undo: at most one row. `before` and `after` are JSON lists of price rows. */
export type PriceUndoTable = {
  id: 1
  at: number
  actor_name: string
  /** `multiple`, `delete`, `add`, `update` or `overwrite`. */
  what: string
  before: string
  after: string
}

/** Immutable price terms, to which postings refer. */
export type PriceVersionsTable = {
  id: Generated<number>
  hash: string
  body: string
  /** Unix seconds of the first use. Null in rows older than this column. */
  created_at: number | null
}

export type OwnersTable = { id: number; name: string; icon: string }
