import type { Price, PriceMode } from '@hub/contract'
import list from '../defaults/price-modes.json' with { type: 'json' }

type DefaultModes = {
  owner: number
  models: readonly string[]
  ratios: Partial<Record<PriceMode, string>>
}

/** The vendors' own ratios, with their sources. The tables of the providers have the same, as a test checks. */
const defaults: readonly DefaultModes[] = list
/** The name of a snapshot ends in its date. */
const snapshot = /-\d{4}-\d\d-\d\d$/

type PricedModel = { model: string; type: 'tokens' | 'times'; channel_type: number }

/** A price of a prefix covers models with other ratios, and a price per call is the operator's own. */
export const defaultModes = ({ model, type, channel_type }: PricedModel) => {
  if (type === 'times' || model.endsWith('*')) return {}
  const name = model.replace(snapshot, '')
  const ratios: Partial<Record<PriceMode, string>> = {}
  for (const each of defaults)
    if (each.owner === channel_type && each.models.includes(name))
      Object.assign(ratios, each.ratios)
  return ratios
}

/** A stored price with the ratios that it has without naming them, as administrators and visitors see it. */
export const withDefaultModes = (price: Price): Price => {
  const modes = Object.entries(defaultModes(price)).map(([key, ratio]) => [key, Number(ratio)])
  if (modes.length === 0) return price
  return { ...price, extra_ratios: { ...Object.fromEntries(modes), ...price.extra_ratios } }
}
