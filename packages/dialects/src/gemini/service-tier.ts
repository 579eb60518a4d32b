import type { Json } from '../json.ts'
import type { Noting } from '../notes.ts'

/** https://ai.google.dev/gemini-api/docs/priority-inference, which has also shown them as `SERVICE_TIER_PRIORITY`. */
export const decodeTier = (told: Json): string | undefined => {
  if (typeof told !== 'string') return undefined
  const tier = told.toLowerCase().replace(/^service_tier_/, '')
  if (tier === 'unspecified') return undefined
  return tier === 'standard' ? 'default' : tier
}

const words: Readonly<Record<string, string>> = {
  default: 'standard',
  standard_only: 'standard',
  flex: 'flex',
  priority: 'priority',
}

/** `auto` leaves it to the vendor, as saying nothing does; of other words it would make an error. */
export const encodeTier = (tier: string | undefined, notes: Noting): string | undefined => {
  if (tier === undefined || tier === 'auto') return undefined
  const word = words[tier]
  if (word === undefined) notes.drop('service_tier')
  return word
}
