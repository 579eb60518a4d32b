import { formatExact, multiply } from '../../lib/decimal.ts'
import { exactly } from './terms.ts'

/** USD for one call of a tool that a provider sells by the call. A kind that is nowhere costs nothing and raises an alarm. */
const usd: Record<string, string> = {
  // https://developers.openai.com/api/docs/pricing, https://platform.claude.com/docs/en/about-claude/pricing: 10 USD per 1,000 searches.
  web_search: '0.01',
  web_search_preview: '0.01',
  // https://developers.openai.com/api/docs/pricing: 2.50 USD per 1,000 calls.
  file_search: '0.0025',
  // https://developers.openai.com/api/docs/pricing: 0.03 USD per container.
  code_interpreter: '0.03',
  // https://developers.openai.com/api/docs/models/gpt-image-1: per image, by quality and size.
  'image_generation:low-1024x1024': '0.011',
  'image_generation:low-1024x1536': '0.016',
  'image_generation:low-1536x1024': '0.016',
  'image_generation:medium-1024x1024': '0.042',
  'image_generation:medium-1024x1536': '0.063',
  'image_generation:medium-1536x1024': '0.063',
  'image_generation:high-1024x1024': '0.167',
  'image_generation:high-1024x1536': '0.25',
  'image_generation:high-1536x1024': '0.25',
}

/** Models that do not think pay 25 USD per 1,000 for the older search: https://developers.openai.com/api/docs/pricing. */
const dearSearch = /^gpt-4(o|\.1)/

type OfPrice = { model: string; tool_prices?: string | null }

/** Points for one call of each tool, before any group ratio. What the price itself says stands before what is usual. */
export const toolPrices = (quotaPerUnit: number, price?: OfPrice): Record<string, string> => {
  const own = price?.tool_prices ? (JSON.parse(price.tool_prices) as Record<string, string>) : {}
  const all = {
    ...usd,
    ...(price && dearSearch.test(price.model) ? { web_search_preview: '0.025' } : {}),
    ...own,
  }
  const unit = exactly(quotaPerUnit)
  return Object.fromEntries(
    Object.entries(all).map(([kind, each]) => [kind, formatExact(multiply(exactly(each), unit))]),
  )
}
