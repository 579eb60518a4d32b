import { type PriceFields, tierField } from '../price-fields.ts'

const source = 'https://ai.google.dev/gemini-api/docs/optimization'
const owner = 25
const date = '2026-11-28'

export const priceFields: PriceFields = {
  fields: [
    tierField('serviceTier', 'https://ai.google.dev/gemini-api/docs/priority-inference'),
    // The server accepts the names of its protocol buffers too.
    tierField('service_tier', 'https://ai.google.dev/gemini-api/docs/priority-inference'),
  ],
  ratios: [
    {
      owner,
      models: /^gemini-(2\.5-(pro|flash|flash-lite)|3-pro-preview|3\.1-pro-preview|3\.5-flash)$/,
      ratios: { tier_flex: '0.5' },
      source,
      date,
    },
    {
      owner,
      models: /^gemini-(2\.5-(pro|flash|flash-lite)|3-pro-preview|3\.1-pro-preview)$/,
      ratios: { tier_priority: '1.8' },
      source: 'https://docs.llmgateway.io/features/service-tiers',
      date,
    },
  ],
}
