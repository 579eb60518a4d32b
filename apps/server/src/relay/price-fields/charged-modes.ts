import type { Served, Usage } from '@hub/dialects'
import {
  answerFields,
  type PriceDimension,
  type PriceField,
  type Provider,
  servedHeaders,
} from '@hub/providers'
import type { RequestedModes } from './check-fields.ts'

type PricedProvider = Pick<Provider, 'priceFields'>
type Headers = Readonly<Record<string, string | string[] | undefined>>

/** Reads the modes that the headers of an answer name; undefined where they name none. */
export const servedInHeaders = (headers: Headers): Served | undefined => {
  let served: Served | undefined
  for (const [name, header] of servedHeaders) {
    const value = headers[header]
    if (typeof value === 'string' && value !== '') served = { ...served, [name]: value }
  }
  return served
}

const servedDimensions = ['tier', 'speed', 'region', 'latency'] as const

/**
 * The modes that a call is charged in: those that the answer names, and where it names none those of the request. A word
 * without a mode becomes one without a ratio, which is charged at 1 and raises the alarm.
 */
export const chargedModes = (
  provider: PricedProvider,
  requested: RequestedModes,
  served: Served | undefined,
): readonly string[] => {
  if (served === undefined) return Object.values(requested)
  const modes: RequestedModes = { ...requested }
  for (const dimension of servedDimensions) {
    const word = served[dimension]
    if (word === undefined) continue
    const mode = modeOf(provider, dimension, word)
    if (mode === undefined) delete modes[dimension]
    else modes[dimension] = mode
  }
  return Object.values(modes)
}

/** Words of answers that no request has, for what costs the standard price or has its own price elsewhere. */
const standardWords: Readonly<Record<string, readonly string[]>> = {
  tier: ['batch', 'on_demand', 'provisioned_throughput', 'traffic_type_unspecified'],
  speed: [],
  region: [],
  latency: [],
}

/** Vertex names the traffic instead: `ON_DEMAND_FLEX`, `ON_DEMAND_PRIORITY`. */
const wordOf = (text: string): string => {
  const word = text.trim().toLowerCase()
  return word.replace(/^service_tier_/, '').replace(/^on_demand_/, '')
}

const modeOf = (
  { priceFields }: PricedProvider,
  dimension: PriceDimension,
  text: string,
): string | undefined => {
  const word = wordOf(text)
  if (standardWords[dimension]?.includes(word)) return undefined
  const fields = fieldsOf(priceFields.fields, dimension)
  if (fields.some(each => each.defaults.includes(word))) return undefined
  const mode = fields.find(each => Object.hasOwn(each.modes, word))?.modes[word]
  return mode ?? `${dimension}_${word.replace(/[^a-z0-9]+/g, '_').slice(0, 30)}`
}

/** An answer may name what its vendor's requests cannot, in the words of other vendors. */
const fieldsOf = (own: readonly PriceField[], dimension: PriceDimension): readonly PriceField[] => {
  const found = own.filter(each => each.dimension === dimension)
  return found.length > 0 ? found : answerFields.filter(each => each.dimension === dimension)
}

/** A usage in the modes that it is charged in. */
export const inModes = (usage: Usage, modes: readonly string[]): Usage =>
  modes.length === 0 ? usage : { ...usage, modes }
