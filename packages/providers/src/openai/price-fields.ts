import {
  openaiCacheFields,
  type PriceFields,
  type PriceRatios,
  tierField,
} from '../price-fields.ts'

const fastMode = 'https://openai.com/api-fast-mode/'
const flex = 'https://developers.openai.com/api/docs/guides/flex-processing'
const ultrafast = 'https://developers.openai.com/api/docs/guides/ultrafast-mode'
const owner = 1
const date = '2026-11-28'

const fast = (models: readonly string[], ratio: string): PriceRatios => ({
  owner,
  models,
  ratios: { tier_priority: ratio },
  source: fastMode,
  date,
})

export const priceFields: PriceFields = {
  fields: [
    tierField('service_tier', 'https://developers.openai.com/api/docs/guides/fast-mode'),
    ...openaiCacheFields,
  ],
  ratios: [
    // Prices of the Batch API.
    {
      owner,
      models: [
        ...['gpt-5', 'gpt-5-mini', 'gpt-5-nano', 'gpt-5.1', 'gpt-5.4', 'gpt-5.5'],
        ...['o3', 'o4-mini'],
      ],
      ratios: { tier_flex: '0.5' },
      source: flex,
      date,
    },
    fast(['gpt-5.5'], '2.5'),
    fast(['gpt-5.6-sol', 'gpt-5.6-terra', 'gpt-5.6-luna', 'gpt-5.4', 'gpt-5.4-mini'], '2'),
    fast(['gpt-5.2', 'gpt-5.1', 'gpt-5', 'gpt-5-codex', 'gpt-5.1-codex'], '2'),
    fast(['gpt-5-mini'], '1.8'),
    fast(['gpt-4.1'], '1.75'),
    {
      owner,
      models: ['gpt-6-astra'],
      ratios: { tier_ultrafast: '6' },
      source: ultrafast,
      date,
    },
  ],
}
