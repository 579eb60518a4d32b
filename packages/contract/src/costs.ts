import { z } from 'zod'
import { isPriceMode } from './price-modes.ts'
import { get, NoInput, put, resource } from './resource.ts'
import { Amount, amountFields } from './vendor-prices.ts'

/** A code of ISO 4217, as in `USD`. */
export const Currency = z.string().regex(/^[A-Z]{3}$/, 'must be a currency code of three letters')

const isZero = (amount: string) => /^[0.]*$/.test(amount)

/** A price that the operator pays: per million tokens, or per call. */
const CostPriceFields = z.strictObject({
  /** The model's name at the upstream or here. One that ends in `*` is a prefix, and `*` alone is every other model. */
  model: z.string().min(1).max(200).regex(/^\S+$/, 'is no name of a model'),
  type: z.enum(['tokens', 'times']),
  ...amountFields,
  /** Per call of a tool, in the currency of the list. */
  tools: z.record(z.string().max(100), Amount).optional(),
})

/** Each field is obeyed or refused. A cached price is stored as its ratio to the input, so that 0 has none. */
const CostPrice = CostPriceFields.superRefine((price, context) => {
  const refuse = (field: string, message: string) =>
    context.addIssue({ code: 'custom', path: [field], message })
  if (/\*./.test(price.model)) refuse('model', 'may have `*` at its end only')
  if (price.cached !== undefined && isZero(price.input) && !isZero(price.cached))
    refuse('cached', 'must be 0 where the input costs nothing')
  const { long = [] } = price
  if (long.some(({ above }, at) => at > 0 && above <= long[at - 1]!.above))
    refuse('long', 'must ascend: each bound is above the one before it')
  if (price.type === 'tokens') return
  if (!isZero(price.output) && price.output !== price.input)
    refuse('output', 'must be 0: a price per call stands in `input`')
  if (price.cached !== undefined) refuse('cached', 'is not possible for a price per call')
  if (price.long) refuse('long', 'is not possible for a price per call')
  if (Object.keys(price.extra ?? {}).some(key => !isPriceMode(key)))
    refuse('extra', 'may have modes only for a price per call')
})
export type CostPrice = z.output<typeof CostPrice>

/** The prices that the operator pays for calls of a channel. */
export const CostList = z.strictObject({
  /**
   * The source of a price that `prices` lacks: it stands on the vendor's page, in the price list of an upstream that is
   * a gateway, or nowhere, so that its cost is unknown.
   */
  base: z.enum(['list', 'upstream', 'none']),
  /** The price of one unit of the base's currency, in the currency of this list. */
  factor: Amount,
  /** Null: that of the base's price. */
  currency: Currency.nullable(),
  /** The vendor's own figure counts where its answer has one. */
  reported: z.boolean(),
  /** In the currency of this list, else in USD. The factor does not apply to them. */
  prices: z
    .array(CostPrice)
    .max(2_000)
    .superRefine((prices, context) => {
      const seen = new Set<string>()
      for (const [at, { model }] of prices.entries()) {
        if (seen.has(model))
          context.addIssue({ code: 'custom', path: [at, 'model'], message: 'has a price already' })
        seen.add(model)
      }
    }),
})
export type CostList = z.output<typeof CostList>

/** The list of a channel whose operator wrote none: the vendor's published prices and figures. */
export const defaultCostList: CostList = {
  ...{ base: 'list', factor: '1', currency: null, reported: true, prices: [] },
}

/** `vendor`: the vendor's own figure; `computed`: its usage at the list's prices; `estimated`: the usage is an estimate. */
export const CostKind = z.enum(['vendor', 'computed', 'estimated'])
export type CostKind = z.output<typeof CostKind>

/** The cost of a call to its operator. No user ever sees one. */
export const CallCost = z.object({
  /** A decimal number of units of the currency. */
  amount: z.string(),
  currency: Currency,
  /** The terms by which it was computed. Null: the vendor's own figure. */
  version: z.number().nullable(),
  kind: CostKind,
})
export type CallCost = z.output<typeof CallCost>

/** A day of the calendar, as in `2026-11-29`. */
export const Day = z.iso.date('must be a day such as 2026-11-29')

/** How many units of the currency the operator counts for a US dollar. */
const ExchangeRate = z.object({
  currency: Currency,
  /** A decimal in text. */
  rate: z.string(),
  /** It holds from this day until the next rate of its currency. */
  valid_from: Day,
  /** The user who wrote it. */
  created_by: z.number(),
  /** Empty: that account is gone. */
  created_by_name: z.string(),
})
export type ExchangeRate = z.output<typeof ExchangeRate>

export const ExchangeRates = z.object({
  /** The rate of today for each currency that has one, in the order of their codes. */
  current: z.array(
    z.object({
      currency: Currency,
      rate: z.string(),
      /** `setting`: nobody wrote a rate for CNY, so that it is the price of a dollar at top-ups. */
      source: z.enum(['rate', 'setting']),
    }),
  ),
  /** Newest first. */
  history: z.array(ExchangeRate),
})
export type ExchangeRates = z.output<typeof ExchangeRates>

const NewRate = z.object({
  currency: Currency.refine(
    code => code !== 'USD',
    'rates are for a US dollar, so that it has none',
  ),
  rate: Amount.refine(amount => !isZero(amount), 'must be above 0'),
  /** Absent: today. A day before changes what was counted since then. */
  valid_from: Day.optional(),
})

export const costs = resource('/api/costs', {
  rates: get('/rates', {
    access: 'admin',
    input: NoInput,
    response: ExchangeRates,
    summary: 'How many units of each currency a US dollar is, with the history',
  }),
  setRate: put('/rates', {
    access: 'admin',
    input: NewRate,
    response: ExchangeRates,
    summary: 'Sets the rate of a currency from a day on, today unless `valid_from` names another',
  }),
})
