import {
  type PriceField,
  type PriceFields,
  regionField,
  routingField,
  speedField,
  tierField,
} from '../price-fields.ts'

const longContext = 'https://platform.claude.com/docs/en/build-with-claude/context-windows'
const refusals = 'https://platform.claude.com/docs/en/build-with-claude/refusals-and-fallback'
const fastMode = 'https://platform.claude.com/docs/en/build-with-claude/fast-mode'
const residency = 'https://platform.claude.com/docs/en/manage-claude/data-residency'
const owner = 14
const date = '2026-11-28'

/** Above 200,000 tokens these models cost more, which the tiers of their price say. Later models cost the same. */
const longContextBeta = (name: string, place: PriceField['in']): PriceField => ({
  name,
  in: place,
  dimension: 'context',
  defaults: [],
  modes: {},
  elements: /^context-1m/,
  onlyModels: /sonnet-4($|-0|-5|-2025|@)/,
  source: longContext,
})

export const claudeFields: readonly PriceField[] = [
  longContextBeta('anthropic-beta', 'header'),
  // Bedrock and Vertex take the betas in the body.
  longContextBeta('anthropic_beta', 'body'),
  // Models that answer where the first one refuses, at their own prices.
  routingField('fallbacks', refusals),
]

export const priceFields: PriceFields = {
  fields: [
    tierField('service_tier', 'https://platform.claude.com/docs/en/api/service-tiers'),
    speedField(fastMode),
    regionField(residency),
    ...claudeFields,
  ],
  ratios: [
    {
      owner,
      models: ['claude-opus-4-6', 'claude-opus-4-7'],
      ratios: { speed_fast: '6' },
      source: fastMode,
      date,
    },
    {
      owner,
      models: ['claude-opus-4-8', 'claude-opus-5', 'claude-opus-5-5'],
      ratios: { speed_fast: '2' },
      source: fastMode,
      date,
    },
    {
      owner,
      models: [
        ...['claude-opus-4-6', 'claude-opus-4-7', 'claude-opus-4-8', 'claude-sonnet-4-6'],
        ...['claude-opus-5', 'claude-opus-5-5', 'claude-sonnet-5', 'claude-sonnet-5-5'],
        ...['claude-fable-5', 'claude-fable-5-1'],
      ],
      ratios: { region_us: '1.1' },
      source: residency,
      date,
    },
  ],
}
