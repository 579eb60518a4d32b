import { z } from 'zod'
import { extraRatioKeys } from './usage-classes.ts'

/** A number in text keeps its digits. */
const Amount = z.string().regex(/^\d{1,9}(\.\d{1,12})?$/, 'must be a decimal number in text')

/** A code of ISO 4217, as in `USD`. */
export const Currency = z.string().regex(/^[A-Z]{3}$/, 'must be a currency code of three letters')

/** A price that the operator pays: per million tokens, or per call. */
const CostPrice = z.strictObject({
  /** The model's name at the upstream or here. One that ends in `*` is a prefix, and `*` alone is every other model. */
  model: z.string().min(1).max(200).regex(/^\S+$/, 'is no name of a model'),
  type: z.enum(['tokens', 'times']),
  input: Amount,
  output: Amount,
  /** The price of a cache read. */
  cached: Amount.optional(),
  /** Ratios to the price of their side, under the keys of `extra_ratios`. */
  extra: z.partialRecord(z.enum(extraRatioKeys), Amount).optional(),
  /** Prices of the whole call if its prompt has more than `above` tokens, ascending. */
  long: z
    .array(z.strictObject({ above: z.number().int().min(1), input: Amount, output: Amount }))
    .min(1)
    .optional(),
  /** Per call of a tool, in the currency of the list. */
  tools: z.record(z.string().max(100), Amount).optional(),
})
export type CostPrice = z.output<typeof CostPrice>

/** What the calls of a channel cost its operator. */
export const CostList = z.strictObject({
  /**
   * Where the price of a model stands that `prices` lacks: on the vendor's page, in the price list of an upstream that is
   * a gateway, or nowhere, so that its cost is unknown.
   */
  base: z.enum(['list', 'upstream', 'none']),
  /** What one unit of the base's currency costs, in the currency of this list. */
  factor: Amount,
  /** Null: that of the base's price. */
  currency: Currency.nullable(),
  /** The vendor's own figure counts where its answer has one. */
  reported: z.boolean(),
  /** In the currency of this list, else in USD. The factor does not apply to them. */
  prices: z.array(CostPrice).max(2_000),
})
export type CostList = z.output<typeof CostList>

/** The list of a channel whose operator wrote none: the vendor's published prices and figures. */
export const defaultCostList: CostList = {
  ...{ base: 'list', factor: '1', currency: null, reported: true, prices: [] },
}

/** `vendor`: the vendor's own figure; `computed`: its usage at the list's prices; `estimated`: the usage is an estimate. */
export const CostKind = z.enum(['vendor', 'computed', 'estimated'])
export type CostKind = z.output<typeof CostKind>

/** What a call costs its operator. No user ever sees one. */
export const CallCost = z.object({
  /** A decimal number of units of the currency. */
  amount: z.string(),
  currency: Currency,
  /** The terms by which it was computed. Null: the vendor's own figure. */
  version: z.number().nullable(),
  kind: CostKind,
})
export type CallCost = z.output<typeof CallCost>
