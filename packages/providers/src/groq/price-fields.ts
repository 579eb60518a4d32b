import { openaiCacheFields, type PriceFields, tierField } from '../price-fields.ts'

export const priceFields: PriceFields = {
  fields: [
    // Flex has the price of on_demand: https://console.groq.com/docs/flex-processing
    tierField('service_tier', 'https://console.groq.com/docs/service-tiers', { free: ['flex'] }),
    ...openaiCacheFields,
  ],
  ratios: [],
}
