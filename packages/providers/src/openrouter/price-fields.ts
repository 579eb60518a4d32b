import {
  commonPriceFields,
  type PriceField,
  type PriceFields,
  routingField,
} from '../price-fields.ts'

const routing = 'https://openrouter.ai/docs/guides/routing/provider-selection'

/** The vendor serves them with any model and adds its own fees, and tells the sum in `usage.cost` only. */
export const routingFields: readonly PriceField[] = [
  routingField('models', 'https://openrouter.ai/docs/guides/routing/model-fallbacks'),
  routingField('route', 'https://openrouter.ai/docs/guides/routing/model-fallbacks'),
  routingField('provider', routing),
  routingField('plugins', 'https://openrouter.ai/docs/guides/features/plugins/overview'),
]

export const priceFields: PriceFields = {
  fields: [...commonPriceFields.fields, ...routingFields],
  ratios: [],
}
