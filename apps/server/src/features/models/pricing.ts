import { type AvailableModel, isPriceMode, type Price, usageClassSpecs } from '@hub/contract'
import type { App } from '../../core/app.ts'
import * as owners from '../../db/queries/owners.ts'
import { divide, formatDecimal, multiply, parseDecimal } from '../../lib/decimal.ts'
import { publicRoutes } from '../../public-routes.ts'
import { endpointTypeOf, endpointTypesOf } from '../../relay/model-list/endpoint-types.ts'
import { listAvailableModels, listUsableGroups } from './available.ts'

/** Returns the models and prices of `listAvailableModels` in the format of New API's `/api/pricing`. */
export const listNewApiPricing = async (app: App, ownGroup: string | undefined) => {
  const [found, groups, ownerRows] = await Promise.all([
    listAvailableModels(app, ownGroup),
    listUsableGroups(app, ownGroup),
    owners.listAll(app.db),
  ])
  const pricedOwners = new Set(Object.values(found).map(({ price }) => price.channel_type))
  return {
    success: true as const,
    message: '' as const,
    data: Object.entries(found).map(([model, each]) => toNewApi(model, each)),
    vendors: ownerRows
      .filter(({ id }) => pricedOwners.has(id))
      .map(({ id, name, icon }) => ({ id, name, icon })),
    group_ratio: Object.fromEntries(groups.map(({ symbol, ratio }) => [symbol, Number(ratio)])),
    usable_group: Object.fromEntries(groups.map(({ symbol, name }) => [symbol, name])),
    supported_endpoint: endpoints(),
    auto_groups: [],
  }
}

/** Returns the first path of each dialect; the later ones are aliases. */
const endpoints = () => {
  const found: Record<string, { path: string; method: string }> = {}
  for (const row of publicRoutes) {
    const type = endpointTypeOf(row)
    if (type !== undefined) found[type] ??= { path: row.path, method: row.method }
  }
  return found
}

const toNewApi = (model_name: string, { price, owned_by, groups }: AvailableModel) => {
  const isTimes = price.type === 'times'
  const cached = cacheRatioOf(price)
  return {
    model_name,
    vendor_id: price.channel_type,
    owner_by: owned_by,
    quota_type: isTimes ? (1 as const) : (0 as const),
    model_ratio: isTimes ? 0 : price.input,
    model_price: isTimes ? product(price.input, 0.002) : 0,
    completion_ratio: isTimes ? 0 : completionRatio(price),
    ...(cached === undefined ? {} : { cache_ratio: cached }),
    ...modeRatiosOf(price),
    enable_groups: groups,
    supported_endpoint_types: endpointTypesOf(model_name),
  }
}

/** A gateway that reads this page as its costs does not know the ratio that an owner's models have by themselves. */
const cacheRatioOf = ({ extra_ratios, channel_type }: Price): number | undefined => {
  const byOwner = usageClassSpecs.cacheRead.ownerRatios?.[channel_type]
  const own = extra_ratios?.cached_read_tokens ?? extra_ratios?.cached_tokens
  return own ?? (byOwner === undefined ? undefined : Number(byOwner))
}

/** The ratios of tiers, speeds and regions under our own names: New API has none for them. */
const modeRatiosOf = ({ extra_ratios }: Price): { mode_ratio?: Record<string, number> } => {
  const modes = Object.entries(extra_ratios ?? {}).filter(([key]) => isPriceMode(key))
  return modes.length > 0 ? { mode_ratio: Object.fromEntries(modes) } : {}
}

const product = (a: number, b: number) =>
  Number(formatDecimal(multiply(parseDecimal(a)!, parseDecimal(b)!)))

/** New API's output price relative to the input. It cannot express a price whose input is free, so that is 1. */
const completionRatio = ({ input, output }: Price): number =>
  input === 0 ? 1 : Number(formatDecimal(divide(parseDecimal(output)!, parseDecimal(input)!, 12)))
