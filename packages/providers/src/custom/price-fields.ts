import { claudeFields } from '../anthropic/price-fields.ts'
import { routingFields } from '../openrouter/price-fields.ts'
import { commonPriceFields, type PriceFields } from '../price-fields.ts'

/** The upstream may be any vendor or gateway, so that the fields of all count. */
export const priceFields: PriceFields = {
  fields: [...commonPriceFields.fields, ...claudeFields, ...routingFields],
  ratios: [],
}
