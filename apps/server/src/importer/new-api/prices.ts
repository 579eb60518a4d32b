import { Fault } from '@hub/contract'
import { z } from 'zod'
import type { ImportedPrice } from '../gateway-data.ts'
import { numbersOf } from '../sources/json.ts'
import { oneApiOutputRatio } from './output-ratios.ts'

/** A price per call in USD becomes the points of one call, of which one input unit is 1,000. */
const timesPerUsd = 500
const common = { channel_type: 0, locked: true, extra_ratios: null }

/** Undefined where the administrator stored no ratios: One API then used its own. It has no price for cached tokens. */
export const readOneApiPrices = (
  options: ReadonlyMap<string, string>,
): ImportedPrice[] | undefined => {
  const ratios = numbersOf(options.get('ModelRatio'))
  if (ratios.size === 0) return undefined
  const stored = numbersOf(options.get('CompletionRatio'))
  return [...ratios].map(([model, input]) => ({
    ...{ model, type: 'tokens', ...common },
    input: rounded(input),
    output: rounded(input * (stored.get(model) ?? oneApiOutputRatio(model))),
  }))
}

/** The answer of New API at `/api/pricing`. `quota_type` 1 is a price per call. */
const Pricing = z.object({
  data: z.array(
    z.object({
      model_name: z.string(),
      quota_type: z.union([z.literal(0), z.literal(1)]),
      model_ratio: z.number(),
      model_price: z.number(),
      completion_ratio: z.number(),
    }),
  ),
})

/** New API has rules for output in its code, which differ by release: only its own answer tells what a model costs. */
export const readNewApiPrices = (
  options: ReadonlyMap<string, string>,
  pricing: unknown,
): ImportedPrice[] => {
  const read = Pricing.safeParse(pricing)
  if (!read.success)
    throw new Fault('import.source', {
      hint: 'New API sets prices of output by rules of its own code. Save the answer of its address /api/pricing while it runs, and give the file: --pricing pricing.json.',
    })
  const cached = numbersOf(options.get('CacheRatio'))
  const written = numbersOf(options.get('CreateCacheRatio'))
  return read.data.data.map(each => {
    const { model_name: model, model_ratio, model_price, completion_ratio } = each
    if (each.quota_type === 1)
      return {
        ...{ model, type: 'times', ...common },
        input: rounded(model_price * timesPerUsd),
        output: 0,
      }
    return {
      ...{ model, type: 'tokens', ...common },
      input: rounded(model_ratio),
      output: rounded(model_ratio * completion_ratio),
      extra_ratios: extraRatios(cached.get(model), written.get(model)),
    }
  })
}

const extraRatios = (cached: number | undefined, written: number | undefined) => {
  const ratios = {
    ...(cached !== undefined && { cached_tokens: cached, cached_read_tokens: cached }),
    ...(written !== undefined && { cached_write_tokens: written }),
  }
  return Object.keys(ratios).length > 0 ? ratios : null
}

/** Products of decimals have digits that nobody entered. */
const rounded = (value: number): number => Number(value.toPrecision(12))
