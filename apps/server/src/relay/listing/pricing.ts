import { priceBook } from '../../billing/book.ts'
import { exactly, type Terms } from '../../billing/prices/terms.ts'
import type { App } from '../../core/app.ts'
import { divide, type Exact, formatExact, multiply } from '../../lib/decimal.ts'

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

/** A millionth of a millionth: below what any price is written in. */
const places = 12
const pointsPerCall = exactly('1000')

/** What the model costs a group now; undefined: it has no price. Long prompts and extra kinds of tokens may cost more. */
export const pricingOf = (app: App, model: string, group: string): Pricing | undefined => {
  const priced = priceBook(app).find(model, group)
  if (!priced) return undefined
  const { terms, isFree } = priced
  const perDollar = exactly(String(app.settings().site.QuotaPerUnit))
  const usd = (...factors: Exact[]) =>
    isFree ? '0' : formatExact(divide(multiply(...factors), perDollar, places))
  return terms.type === 'times' ? perCall(terms, usd) : perToken(terms, usd)
}

type InDollars = (...factors: Exact[]) => string

const perCall = ({ input, group_ratio }: Terms, usd: InDollars): Pricing => ({
  prompt: '0',
  completion: '0',
  request: usd(exactly(input), exactly(group_ratio), pointsPerCall),
  input_cache_read: '0',
})

const perToken = ({ input, output, group_ratio, ratios }: Terms, usd: InDollars): Pricing => {
  const [prompt, completion, group] = [exactly(input), exactly(output), exactly(group_ratio)]
  return {
    prompt: usd(prompt, group, exactly(ratios.input)),
    completion: usd(completion, group, exactly(ratios.output)),
    request: '0',
    input_cache_read: usd(prompt, group, exactly(ratios.cacheRead)),
  }
}
