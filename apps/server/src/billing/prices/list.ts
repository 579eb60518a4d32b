import type { OwnersTable, PricesTable } from '../../db/tables/trade.ts'
import { divide, formatExact, multiply } from '../../lib/decimal.ts'
import { earlier, earlierTimes } from './list-earlier.ts'
import { claude, deepSeek, gemini, openAi } from './list-now.ts'
import { exactly } from './terms.ts'

/** USD per million tokens, as vendors publish them, with One Hub's ratios for other kinds of tokens. */
export type Listed = {
  model: string
  input: string
  output: string
  /** The price of a cache read, in USD per million too. */
  cached?: string
  extra?: Record<string, string>
  /** What the whole call costs where the prompt has more than `above` tokens. */
  long?: { above: number; input: string; output: string }
}

/** The built-in price list in One Hub's multipliers: 1 is 2 USD per million tokens. */
export const builtInPrices = (): PricesTable[] => [
  ...openAi.map(each => priced(1, each)),
  ...claude.map(each => priced(14, each)),
  ...gemini.map(each => priced(25, each)),
  ...deepSeek.map(each => priced(28, each)),
  ...earlier.map(([owner, model, input, output]) => row(owner, model, 'tokens', input, output)),
  ...earlierTimes.map(([owner, model, price]) => row(owner, model, 'times', price, price)),
]

const half = exactly('0.5')

const priced = (
  owner: number,
  { model, input, output, cached, extra, long }: Listed,
): PricesTable => ({
  ...row(owner, model, 'tokens', multiplier(input), multiplier(output)),
  extra_ratios: ratiosOf(input, cached, extra),
  tiers: long ? JSON.stringify([tierOf(long)]) : null,
})

const tierOf = ({ above, input, output }: NonNullable<Listed['long']>) => ({
  above,
  input: multiplier(input),
  output: multiplier(output),
})

const multiplier = (usd: string): string => formatExact(multiply(exactly(usd), half))

const ratiosOf = (input: string, cached?: string, extra?: Record<string, string>) => {
  const ratios = { ...(cached ? { cached_read_tokens: quotient(cached, input) } : {}), ...extra }
  return Object.keys(ratios).length === 0 ? null : JSON.stringify(ratios)
}

/** Cut off at the twelfth place: what is lost is less than the one rounding of a charge, which goes up, brings back. */
const quotient = (part: string, whole: string): string =>
  formatExact(divide(exactly(part), exactly(whole), 12))

const row = (
  channel_type: number,
  model: string,
  type: 'tokens' | 'times',
  input: string,
  output: string,
): PricesTable => ({
  model,
  type,
  channel_type,
  input,
  output,
  locked: 0,
  extra_ratios: null,
  tiers: null,
  tool_prices: null,
})

/** Who makes models: the channel types, as in One Hub. No icons, since they would come from another host. */
export const builtInOwners = (): OwnersTable[] =>
  Object.entries(owners).map(([id, name]) => ({ id: Number(id), name, icon: '' }))

const owners: Record<number, string> = {
  1: 'OpenAI',
  11: 'Google PaLM',
  14: 'Anthropic',
  15: 'Baidu',
  16: 'Zhipu',
  17: 'Qwen',
  18: 'Spark',
  19: '360',
  20: 'OpenRouter',
  23: 'Tencent',
  25: 'Google Gemini',
  26: 'Baichuan',
  27: 'MiniMax',
  28: 'Deepseek',
  29: 'Moonshot',
  30: 'Mistral',
  31: 'Groq',
  33: 'Yi',
  34: 'Midjourney',
  35: 'Cloudflare AI',
  36: 'Cohere',
  37: 'Stability AI',
  38: 'Coze',
  39: 'Ollama',
  40: 'Hunyuan',
  41: 'Suno',
  43: 'Meta',
  44: 'Ideogram',
  45: 'Siliconflow',
  46: 'Flux',
  47: 'Jina',
  48: 'Rerank',
  51: 'RecraftAI',
  53: 'Kling',
  56: 'xAI',
}
