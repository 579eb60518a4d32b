import type { PriceMode } from '@hub/contract'
import list from '../defaults/price-modes.json' with { type: 'json' }

type DefaultModes = {
  owner: number
  models: RegExp
  ratios: Partial<Record<PriceMode, string>>
}

/** The vendors' own ratios, with their sources. The tables of the providers have the same, as a test checks. */
const defaults: readonly DefaultModes[] = list.map(({ owner, models, ratios }) => ({
  owner,
  models: new RegExp(models),
  ratios,
}))

type PricedModel = { model: string; type: 'tokens' | 'times'; channel_type: number }

/** A price of a prefix covers models with other ratios, and a price per call is the operator's own. */
export const defaultModes = ({ model, type, channel_type }: PricedModel) => {
  if (type === 'times' || model.endsWith('*')) return {}
  const ratios: Partial<Record<PriceMode, string>> = {}
  for (const each of defaults)
    if (each.owner === channel_type && each.models.test(model)) Object.assign(ratios, each.ratios)
  return ratios
}
