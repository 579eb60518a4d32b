import { openaiCacheFields, type PriceFields, tierField } from '../price-fields.ts'

export const priceFields: PriceFields = {
  fields: [
    // The premium stands on the pricing page of each model only, so that no ratio is shipped.
    tierField(
      'service_tier',
      'https://docs.x.ai/developers/advanced-api-usage/priority-processing',
    ),
    ...openaiCacheFields,
  ],
  ratios: [],
}
