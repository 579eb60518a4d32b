import type { Served } from '@hub/dialects'

/**
 * The part of a price that a field changes. Each has at most one mode in a call, and their ratios multiply. `context`:
 * prices of long prompts. `routing`: the vendor chooses other models or sells additions.
 */
export type PriceDimension =
  | 'tier'
  | 'speed'
  | 'region'
  | 'latency'
  | 'cache'
  | 'context'
  | 'routing'

/** A field or header of a request that changes the vendor's price. */
export type PriceField = {
  /** A top-level field, a member of one such as `performanceConfig.latency`, or a header in lower case. */
  name: string
  in: 'body' | 'header'
  dimension: PriceDimension
  /** Values that cost as much as no value, in lower case. */
  defaults: readonly string[]
  /** The key of `extra_ratios` for each value with a price of its own, in lower case. No other value has one. */
  modes: Readonly<Record<string, string>>
  /** Judges only these elements of a list. Absent: the whole value. */
  elements?: RegExp
  /** Absent: every model. */
  onlyModels?: RegExp
  /** The vendor's page. */
  source: string
}

/** The ratios that a vendor documents, which prices of its models have unless they name their own. */
export type PriceRatios = {
  /** The owner of the models: `model_ownedby`. */
  owner: number
  /** Names; a dated snapshot of a model, such as `gpt-5-2025-08-07`, costs the same. */
  models: readonly string[]
  ratios: Readonly<Record<string, string>>
  source: string
  /** When the ratio was read there. */
  date: string
}

export type PriceFields = { fields: readonly PriceField[]; ratios: readonly PriceRatios[] }

/** Words that vendors use for the tier without a price of its own. */
const defaultTiers = ['auto', 'default', 'standard', 'standard_only', 'on_demand', 'unspecified']

const tierModes = {
  flex: 'tier_flex',
  priority: 'tier_priority',
  // OpenAI renamed priority to fast, and takes both.
  fast: 'tier_priority',
  ultrafast: 'tier_ultrafast',
  scale: 'tier_scale',
  reserved: 'tier_reserved',
  performance: 'tier_performance',
}

type TierOptions = Partial<Pick<PriceField, 'in'>> & { free?: readonly string[] }

/** A field that chooses the service tier. `free` are tiers at the standard price. */
export const tierField = (
  name: string,
  source: string,
  { in: place = 'body', free = [] }: TierOptions = {},
): PriceField => ({
  name,
  in: place,
  dimension: 'tier',
  defaults: [...defaultTiers, ...free],
  modes: Object.fromEntries(Object.entries(tierModes).filter(([tier]) => !free.includes(tier))),
  source,
})

export const speedField = (source: string): PriceField => ({
  name: 'speed',
  in: 'body',
  dimension: 'speed',
  defaults: ['standard', 'default', 'auto'],
  modes: { fast: 'speed_fast' },
  source,
})

export const regionField = (source: string): PriceField => ({
  name: 'inference_geo',
  in: 'body',
  dimension: 'region',
  defaults: ['global', 'auto', 'default', 'not_available'],
  modes: { us: 'region_us', eu: 'region_eu' },
  source,
})

export const latencyField = (
  name: string,
  source: string,
  place: PriceField['in'] = 'body',
): PriceField => ({
  name,
  in: place,
  dimension: 'latency',
  defaults: ['standard', 'default', 'auto'],
  modes: { optimized: 'latency_optimized' },
  source,
})

/** A lifetime of the vendor's cache. The usual ones cost what their class of tokens costs. */
export const cacheField = (
  name: string,
  source: string,
  defaults: readonly string[],
): PriceField => ({
  name,
  in: 'body',
  dimension: 'cache',
  defaults,
  modes: { '12h': 'cached_write_12h_tokens' },
  source,
})

/** A field by which the vendor serves the call with other models, or adds what it sells by itself. */
export const routingField = (name: string, source: string): PriceField => ({
  name,
  in: 'body',
  dimension: 'routing',
  defaults: [],
  modes: {},
  source,
})

const openaiTiers = 'https://developers.openai.com/api/docs/guides/fast-mode'
const openaiCache = 'https://developers.openai.com/api/docs/guides/prompt-caching'
const claudeSpeed = 'https://platform.claude.com/docs/en/build-with-claude/fast-mode'
const claudeRegion = 'https://platform.claude.com/docs/en/manage-claude/data-residency'

export const openaiCacheFields: readonly PriceField[] = [
  // Both retentions cost the same.
  cacheField('prompt_cache_retention', openaiCache, ['in_memory', 'in-memory', '24h']),
  cacheField('prompt_cache_options.ttl', openaiCache, ['30m']),
]

/** The fields of an upstream whose vendor has no table: those of the dialects that it may speak. */
export const commonPriceFields: PriceFields = {
  fields: [
    tierField('service_tier', openaiTiers),
    tierField('serviceTier', 'https://ai.google.dev/gemini-api/docs/priority-inference'),
    ...openaiCacheFields,
    speedField(claudeSpeed),
    regionField(claudeRegion),
  ],
  ratios: [],
}

/** The words of answers, for a vendor whose own table has no field of their kind. */
export const answerFields: readonly PriceField[] = [
  ...commonPriceFields.fields,
  latencyField(
    'performanceConfig.latency',
    'https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_PerformanceConfiguration.html',
  ),
]

/** Headers in which vendors name what served the call, where the answer itself may not. */
export const servedHeaders: readonly (readonly [keyof Served, string])[] = [
  ['tier', 'x-amzn-bedrock-service-tier'],
  ['latency', 'x-amzn-bedrock-performanceconfig-latency'],
  ['tier', 'x-gemini-service-tier'],
]
