import { openaiCacheFields, type PriceFields, tierField } from '../price-fields.ts'

export const priceFields: PriceFields = {
  fields: [
    // `flex` of a video is the offline queue at half the price.
    tierField('service_tier', 'https://www.volcengine.com/docs/82379/1520757'),
    ...openaiCacheFields,
  ],
  ratios: [],
}
