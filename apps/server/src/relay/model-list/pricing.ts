import { priceCache } from '../../billing/price-cache.ts'
import { type Terms, toDecimal } from '../../billing/prices/terms.ts'
import type { App } from '../../core/app.ts'
import { type Decimal, divide, formatDecimal, multiply } from '../../lib/decimal.ts'

/**
 * USD for one token or one request, in text, as OpenRouter lists them:
 * https://openrouter.ai/docs/api-reference/list-available-models
 */
export type Pricing = {
  prompt: string
  completion: string
  request: string
  input_cache_read: string
}

/** Finer than any price. */
const decimals = 12
const pointsPerCall = toDecimal('1000')

/** The current price of a model for a group, without surcharges for long prompts; undefined where it has no price. */
export const pricingOf = (app: App, model: string, group: string): Pricing | undefined => {
  const priced = priceCache(app).find(model, group)
  if (!priced) return undefined
  const { terms, isFree } = priced
  const perDollar = toDecimal(String(app.settings().site.QuotaPerUnit))
  const usd = (...factors: Decimal[]) =>
    isFree ? '0' : formatDecimal(divide(multiply(...factors), perDollar, decimals))
  return terms.type === 'times' ? perCall(terms, usd) : perToken(terms, usd)
}

type InDollars = (...factors: Decimal[]) => string

const perCall = ({ input, group_ratio }: Terms, usd: InDollars): Pricing => ({
  prompt: '0',
  completion: '0',
  request: usd(toDecimal(input), toDecimal(group_ratio), pointsPerCall),
  input_cache_read: '0',
})

const perToken = ({ input, output, group_ratio, ratios }: Terms, usd: InDollars): Pricing => {
  const [prompt, completion, group] = [toDecimal(input), toDecimal(output), toDecimal(group_ratio)]
  return {
    prompt: usd(prompt, group, toDecimal(ratios.input)),
    completion: usd(completion, group, toDecimal(ratios.output)),
    request: '0',
    input_cache_read: usd(prompt, group, toDecimal(ratios.cacheRead)),
  }
}

type PricingRange = { pricing: Pricing | undefined; pricingMin?: Pricing }

/** The most and the least of each price at which a virtual model may serve. Equal ends make one price. */
export const pricingRangeOf = (
  app: App,
  prices: readonly { model: string; group: string }[],
): PricingRange => {
  const all = prices
    .map(({ model, group }) => pricingOf(app, model, group))
    .filter(each => each !== undefined)
  if (all.length === 0) return { pricing: undefined }
  const pricing = extreme(all, 1)
  const pricingMin = extreme(all, -1)
  return JSON.stringify(pricing) === JSON.stringify(pricingMin)
    ? { pricing }
    : { pricing, pricingMin }
}

const extreme = (all: readonly Pricing[], sign: 1 | -1): Pricing => {
  const of = (field: keyof Pricing) =>
    all.map(each => each[field]).reduce((a, b) => (sign * (Number(b) - Number(a)) > 0 ? b : a))
  return {
    prompt: of('prompt'),
    completion: of('completion'),
    request: of('request'),
    input_cache_read: of('input_cache_read'),
  }
}
