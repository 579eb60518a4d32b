import { claudeFields } from '../anthropic/price-fields.ts'
import { latencyField, type PriceFields, speedField, tierField } from '../price-fields.ts'

const tiers = 'https://docs.aws.amazon.com/bedrock/latest/userguide/service-tiers-inference.html'
const latency =
  'https://docs.aws.amazon.com/bedrock/latest/userguide/latency-optimized-inference.html'

/** Discount and premium differ per model and region, so that no ratio is shipped. */
export const priceFields: PriceFields = {
  fields: [
    tierField('serviceTier.type', tiers),
    tierField('service_tier', tiers),
    tierField('x-amzn-bedrock-service-tier', tiers, { in: 'header' }),
    latencyField('performanceConfig.latency', latency),
    latencyField('x-amzn-bedrock-performanceconfig-latency', latency, 'header'),
    speedField('https://platform.claude.com/docs/en/build-with-claude/fast-mode'),
    ...claudeFields,
  ],
  ratios: [],
}
