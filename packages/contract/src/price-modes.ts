/**
 * Ways of serving a call that a vendor sells at another price: its tier, speed, region or latency, and a longer lifetime
 * of its cache. Each is a key of `extra_ratios`: the ratio multiplies the whole call, without its tools. The ratio of
 * `cached_write_12h_tokens` replaces that of cache writes. `docs/price-fields.md` lists the fields of each vendor.
 */
export const priceModes = {
  tier_flex: 'tier',
  tier_priority: 'tier',
  tier_ultrafast: 'tier',
  tier_scale: 'tier',
  tier_reserved: 'tier',
  tier_performance: 'tier',
  speed_fast: 'speed',
  region_us: 'region',
  region_eu: 'region',
  latency_optimized: 'latency',
  cached_write_12h_tokens: 'cache',
} as const

export type PriceMode = keyof typeof priceModes

export const priceModeNames = Object.keys(priceModes) as [PriceMode, ...PriceMode[]]

export const isPriceMode = (name: string): name is PriceMode => Object.hasOwn(priceModes, name)
