import type { Json } from '../json/json.ts'
import type { WarningCollector } from '../warnings.ts'

/** Also accepts `SERVICE_TIER_PRIORITY` and the like. https://ai.google.dev/gemini-api/docs/priority-inference */
export const decodeTier = (value: Json): string | undefined => {
  if (typeof value !== 'string') return undefined
  const tier = value.toLowerCase().replace(/^service_tier_/, '')
  if (tier === 'unspecified') return undefined
  return tier === 'standard' ? 'default' : tier
}

const encodedTiers: Readonly<Record<string, string>> = {
  default: 'standard',
  standard_only: 'standard',
  flex: 'flex',
  priority: 'priority',
}

/** Omits `auto`, the vendor's default, and tiers that the vendor would reject. */
export const encodeTier = (
  tier: string | undefined,
  warnings: WarningCollector,
): string | undefined => {
  if (tier === undefined || tier === 'auto') return undefined
  const encoded = encodedTiers[tier]
  if (encoded === undefined) warnings.warnDropped('service_tier')
  return encoded
}
