import { type PriceFields, tierField } from '../price-fields.ts'

const source = 'https://ai.google.dev/gemini-api/docs/optimization'
const owner = 25
const date = '2026-11-28'
const both = [
  ...['gemini-2.5-pro', 'gemini-2.5-flash', 'gemini-2.5-flash-lite'],
  ...['gemini-3-pro-preview', 'gemini-3.1-pro-preview'],
]

export const priceFields: PriceFields = {
  fields: [
    tierField('serviceTier', 'https://ai.google.dev/gemini-api/docs/priority-inference'),
    // The server accepts the names of its protocol buffers too.
    tierField('service_tier', 'https://ai.google.dev/gemini-api/docs/priority-inference'),
  ],
  ratios: [
    {
      owner,
      models: [...both, 'gemini-3.5-flash'],
      ratios: { tier_flex: '0.5' },
      source,
      date,
    },
    {
      owner,
      models: both,
      ratios: { tier_priority: '1.8' },
      source: 'https://docs.llmgateway.io/features/service-tiers',
      date,
    },
  ],
}
