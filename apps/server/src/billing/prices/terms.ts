import { Fault } from '@hub/contract'
import type { Usage } from '@hub/dialects'
import { type Exact, formatExact, multiply, readExact } from '../../lib/decimal.ts'
import { inputTokens, type TokenClass, tokenClasses } from '../usage.ts'

/** All that a charge depends on besides the usage. Stored as the body of a price version; decimals in text. */
export type Terms = {
  type: 'tokens' | 'times'
  input: string
  output: string
  /** Multiplies everything. */
  group_ratio: string
  /** Per class, relative to the input or the output price; every class is named, so that defaults may change. */
  ratios: Record<TokenClass, string>
  /** Points for one call of a tool, before the group ratio. */
  tools: Record<string, string>
  /** Prices of long prompts, ascending. Absent: one price for every length. */
  tiers?: Tier[]
}

/** A call whose prompt has more than `above` tokens costs this, all of it; ratios and tools stay as they are. */
type Tier = { above: number; input: string; output: string }

export type PriceRow = {
  model: string
  type: 'tokens' | 'times'
  channel_type: number
  input: string
  output: string
  /** JSON object of One Hub's keys, or null. */
  extra_ratios: string | null
  /** JSON list of tiers with decimals in text, ascending, or null. */
  tiers?: string | null
  /** JSON object: USD for one call of a tool, decimals in text, or null. */
  tool_prices?: string | null
}

/** One Hub's key of each class, with the ratio that holds where a price says nothing. */
const keys: Record<TokenClass, { key: string; default: string }> = {
  input: { key: 'input_text_tokens', default: '1' },
  cacheRead: { key: 'cached_read_tokens', default: '1' },
  cacheWrite5m: { key: 'cached_write_tokens', default: '1.25' },
  cacheWrite1h: { key: 'cached_write_tokens', default: '1.25' },
  output: { key: 'output_text_tokens', default: '1' },
  reasoning: { key: 'reasoning_tokens', default: '1' },
  audioInput: { key: 'input_audio_tokens', default: '1' },
  audioOutput: { key: 'output_audio_tokens', default: '1' },
  imageInput: { key: 'input_image_tokens', default: '1' },
  imageOutput: { key: 'output_image_tokens', default: '1' },
}

/** Owners whose cache reads cost a tenth where the price is silent, as in One Hub; everybody else's cost full price. */
const cacheReadByOwner: Record<number, string> = { 14: '0.1' }

/** A cache write for an hour costs 2.0 where one for five minutes costs 1.25; One Hub has one key for both. */
const hourOverFiveMinutes = exactly('1.6')

/** What a price and a group's ratio come to, with every default filled in. */
export const termsOf = (
  price: PriceRow,
  groupRatio: string,
  tools: Record<string, string>,
): Terms => {
  const extra = readExtra(price.extra_ratios)
  const ratio = (of: TokenClass) => extra[keys[of].key] ?? keys[of].default
  const ratios = Object.fromEntries(tokenClasses.map(each => [each, plain(ratio(each))]))
  // A price from an OpenAI-like list says `cached_tokens`, one from a Claude-like list `cached_read_tokens`.
  const cacheRead =
    extra.cached_read_tokens ??
    extra.cached_tokens ??
    cacheReadByOwner[price.channel_type] ??
    keys.cacheRead.default
  const hour = multiply(exactly(ratio('cacheWrite1h')), hourOverFiveMinutes)
  return {
    type: price.type,
    input: plain(price.input),
    output: plain(price.output),
    group_ratio: plain(groupRatio),
    ratios: {
      ...(ratios as Record<TokenClass, string>),
      cacheRead: plain(cacheRead),
      cacheWrite1h: formatExact(hour),
    },
    tools,
    ...tiersOf(price),
  }
}

/** Nothing at all where there are none, so that the terms of most prices are the same text as ever. */
const tiersOf = ({ type, tiers }: PriceRow): Pick<Terms, 'tiers'> => {
  if (type === 'times' || !tiers) return {}
  const read = JSON.parse(tiers) as Tier[]
  return {
    tiers: read.map(({ above, input, output }) => ({
      above,
      input: plain(input),
      output: plain(output),
    })),
  }
}

/** The terms that this usage is charged by: those of the highest tier that its prompt is above, cached tokens counted. */
export const termsAt = (terms: Terms, usage: Usage): Terms => {
  const tier = terms.tiers?.findLast(({ above }) => inputTokens(usage) > above)
  return tier ? { ...terms, input: tier.input, output: tier.output } : terms
}

/** The name a class has in a log row: One Hub's key. Plain input and output have none there. */
export const logKeys: Partial<Record<TokenClass, string>> = {
  cacheRead: 'cached_read_tokens',
  cacheWrite5m: 'cached_write_tokens',
  cacheWrite1h: 'cached_write_1h_tokens',
  reasoning: 'reasoning_tokens',
  audioInput: 'input_audio_tokens',
  audioOutput: 'output_audio_tokens',
  imageInput: 'input_image_tokens',
  imageOutput: 'output_image_tokens',
}

const readExtra = (text: string | null): Record<string, string | number> =>
  text === null ? {} : (JSON.parse(text) as Record<string, string | number>)

/** A stored multiplier. Negative ones count as 0, as in One Hub; unreadable ones are refused. */
export function exactly(value: string | number): Exact {
  const exact = readExact(value)
  if (!exact) throw new Fault('server.failed', { detail: `not a decimal number: ${value}` })
  return exact.digits < 0n ? { digits: 0n, scale: 0 } : exact
}

const plain = (value: string | number): string => formatExact(exactly(value))
