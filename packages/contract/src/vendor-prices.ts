import { z } from 'zod'
import { extraRatioKeys } from './usage-classes.ts'

/** An amount as the vendor's page shows it. A number in text keeps its digits; nothing else is an amount. */
export const Amount = z.string().regex(/^\d{1,9}(\.\d{1,12})?$/, 'must be a decimal number in text')

/** The day on which the price was read, or the month where the day was not written down. */
const ReadOn = z.string().regex(/^20\d\d-(0[1-9]|1[0-2])(-(0[1-9]|[12]\d|3[01]))?$/, 'is no date')

const Model = z
  .string()
  .min(1)
  .max(200)
  .regex(/^[^*\s]+\*?$/, 'is no name of a model')

/** The amounts of a price in a currency: per million tokens, or per call. */
export const amountFields = {
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
}

/**
 * One price as its vendor publishes it: per million tokens, or per call. An image, a character and a
 * search unit count as tokens, as `note` says; a second of a video stands in `tools`.
 */
export const VendorPrice = z.strictObject({
  model: Model,
  /** The owner of the model: `model_ownedby`. */
  owner: z.number().int().min(1),
  type: z.enum(['tokens', 'times']).default('tokens'),
  /** Amounts in CNY count 7 to the dollar. Those in `tools` are always in USD. */
  currency: z.enum(['USD', 'CNY']).default('USD'),
  ...amountFields,
  tools: z.record(z.string().max(100), Amount).optional(),
  /** The page of the vendor, or the best source that repeats it. */
  source: z.string().regex(/^https:\/\/[^\s]+$/, 'is no address'),
  date: ReadOn,
  note: z.string().min(1).max(400).optional(),
})
export type VendorPrice = z.output<typeof VendorPrice>

/** A model that vendors offer and that has no price, with the reason. */
export const UnpricedModel = z.strictObject({
  model: Model,
  reason: z.string().min(10).max(200),
  date: ReadOn,
})
export type UnpricedModel = z.output<typeof UnpricedModel>
