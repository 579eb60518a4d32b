import { z } from 'zod'
import { FileResponse, get, resource } from './resource.ts'

/** An attribute that the rows are of. `key`: a token of a user, by its name. */
export const MarginAttribute = z.enum(['day', 'channel', 'model', 'user', 'group', 'key'])
export type MarginAttribute = z.output<typeof MarginAttribute>

const attributesMax = 2
const By = z
  .string()
  .default('day')
  .transform(text => [...new Set(text.split(','))])
  .pipe(z.array(MarginAttribute).min(1).max(attributesMax))

const daysMax = 366
const daySeconds = 86_400

/** `margin`: the least first is what loses most. */
export const MarginSort = z.enum(['day', 'revenue', 'cost', 'margin', 'margin_percent', 'calls'])
export type MarginSort = z.output<typeof MarginSort>

export const MarginQuery = z
  .object({
    /** The first and the last day, in the time zone of the site. */
    from: z.iso.date(),
    to: z.iso.date(),
    /** A comma list of one or two. */
    by: By,
    channel: z.number().int().min(0).optional(),
    model: z.string().max(200).optional(),
    user: z.number().int().min(0).optional(),
    group: z.string().max(50).optional(),
    /** The name of a token. */
    key: z.string().max(200).optional(),
    sort: MarginSort.default('margin'),
    order: z.enum(['asc', 'desc']).default('asc'),
  })
  .refine(({ from, to }) => from <= to, { path: ['to'], message: 'must not be before the start' })
  .refine(({ from, to }) => Date.parse(to) - Date.parse(from) < daysMax * daySeconds * 1000, {
    path: ['to'],
    message: `at most ${daysMax} days`,
  })
export type MarginQuery = z.output<typeof MarginQuery>

/** A decimal number of US dollars in text. */
const Usd = z.string()

/** Amounts are exact; only the conversion between currencies is rounded, to 10⁻¹⁰ USD for each day and row. */
export const MarginFigures = z.object({
  /** Charged calls, also those with 0 points. */
  calls: z.number(),
  /** The charges of users. */
  revenue: Usd,
  /** Calls whose cost is not known in USD, and what users were charged for them. The margin is without them. */
  unknown_calls: z.number(),
  unknown_revenue: Usd,
  /** The cost of calls, and of attempts without an answer. */
  cost: Usd,
  /** The part of it that is an estimate. */
  estimated_cost: Usd,
  /** Attempts that did not answer their call, and the part of the cost that is theirs. */
  attempts: z.number(),
  attempts_cost: Usd,
  /** Attempts whose cost is not known. */
  unknown_attempts: z.number(),
  /** The revenue whose cost is known, minus the cost. */
  margin: Usd,
  /** In percent of that revenue, with two digits. Null: there is no such revenue. */
  margin_percent: z.string().nullable(),
  /** Costs in currencies without a rate. Their calls count as unknown. */
  unconverted: z.array(z.object({ currency: z.string(), cost: z.string() })),
})
export type MarginFigures = z.output<typeof MarginFigures>

export const MarginRow = MarginFigures.extend({
  /** `YYYY-MM-DD`; empty unless rows are by day. */
  day: z.string(),
  /** 0 unless rows are by channel, and where no channel is known. */
  channel_id: z.number(),
  /** The name; `#` and the id after it was deleted for good. */
  channel: z.string(),
  model: z.string(),
  /** Rows by user or key have it. */
  user_id: z.number(),
  user: z.string(),
  group: z.string(),
  key: z.string(),
})
export type MarginRow = z.output<typeof MarginRow>

export const MarginReport = z.object({
  from: z.string(),
  to: z.string(),
  /** False while logs of before an upgrade are counted: figures are too low. */
  complete: z.boolean(),
  /** False while the site writes no logs of calls: figures are too low. */
  logging: z.boolean(),
  totals: MarginFigures,
  rows: z.array(MarginRow),
  /** Rows after these, which the totals count. */
  left_off: z.number(),
  /**
   * The rates by which costs of the period were converted: units of the currency for a US dollar, and since which day. Null:
   * nobody wrote a rate, and yuan have the price of a dollar at top-ups.
   */
  rates: z.array(z.object({ currency: z.string(), day: z.string().nullable(), rate: z.string() })),
})
export type MarginReport = z.output<typeof MarginReport>

export const margin = resource('/api/margin', {
  report: get('/', {
    access: 'admin',
    input: MarginQuery,
    response: MarginReport,
    summary: 'What calls were charged and what they cost, by one or two attributes',
  }),
  export: get('/export', {
    access: 'admin',
    input: MarginQuery,
    response: FileResponse,
    file: true,
    summary: 'The same rows as CSV',
  }),
})
