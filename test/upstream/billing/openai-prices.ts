import { times } from './money.ts'
import type { Priced, Rates } from './vendor.ts'

/** Tiers that cost another price than the standard one. */
export type Tier = 'flex' | 'fast' | 'ultrafast'

export type Model = {
  standard: Priced
  /** Absent: the page lists no price of this tier, and the vendor refuses it. */
  tiers: Partial<Record<Tier, Priced>>
  /** The name that answers give to fast mode. */
  fastName: 'fast' | 'priority'
}

const scaled = (rates: Rates, input: string, output: string): Rates =>
  Object.fromEntries(
    Object.entries(rates).map(([kind, price]) => [
      kind,
      times(String(price), kind === 'output' ? output : input),
    ]),
  ) as Rates

const scaledPrice = ({ long, ...short }: Priced, ratio: string): Priced => ({
  ...scaled(short, ratio, ratio),
  ...(long && { long: { ...scaled(ratesOf(long), ratio, ratio), above: long.above } }),
})

const ratesOf = ({ above: _, ...rates }: Rates & { above: number }): Rates => rates

/**
 * Above 272,000 tokens of input: twice the price of input, cached input and cache writes, and 1.5 times that of output.
 * https://openai.com/api-fast-mode/ (GPT-5.6 Sol $8.00 / $0.80 / $40.00 short, $16.00 / $1.60 / $60.00 long).
 * GPT-6.2 Sol: "above 272K input $4.00 / $15.00 (cached $0.20, write $5.00)", a transcription of
 * https://developers.openai.com/api/docs/pricing.
 */
const withLong = (rates: Rates): Priced => ({
  ...rates,
  long: { ...scaled(rates, '2', '1.5'), above: 272_000 },
})

/** "Tokens are priced at Batch API rates": half. https://developers.openai.com/api/docs/guides/flex-processing.md */
const flexOf = (standard: Priced) => scaledPrice(standard, '0.5')

/** Fast mode at a ratio; `excludes long context` stands at older models, whose table has no long columns. */
const fastOf = (standard: Priced, ratio: string, hasLong: boolean): Priced => {
  const { long: _, ...short } = standard
  return scaledPrice(hasLong ? standard : short, ratio)
}

const plain = (input: string, cached: string, output: string): Rates => ({ input, cached, output })

/** "On gpt-5.6 and later models, cache writes are billed": 1.25 times the input. https://learn.microsoft.com/en-us/azure/foundry/openai/how-to/prompt-caching */
const written = (input: string, cached: string, output: string): Rates => ({
  ...plain(input, cached, output),
  write: times(input, '1.25'),
})

const sol62 = withLong(written('2', '0.1', '10'))
const astra6 = withLong(written('10', '1', '50'))
const sol56 = withLong(written('4', '0.4', '20'))
const gpt55 = withLong(plain('5', '0.5', '30'))
const gpt54 = withLong(plain('2.5', '0.25', '15'))
const mini54 = plain('0.75', '0.075', '4.5')
const gpt52 = plain('1.75', '0.175', '14')
const gpt5 = plain('1.25', '0.125', '10')
const mini5 = plain('0.25', '0.025', '2')
const gpt41 = plain('2', '0.5', '8')
const gpt4o = plain('2.5', '1.25', '10')

/**
 * Standard: https://developers.openai.com/api/docs/pricing, as transcribed there on 2026-08-27 and 2026-11-05.
 * Fast: https://openai.com/api-fast-mode/ lists a price for each model, not one ratio:
 * GPT-5.5 $12.50 / $1.25 / $75.00, GPT-5.4 $5.00 / $0.50 / $30.00, GPT-5.4 mini $1.50 / $0.15 / $9.00,
 * GPT-5.2 $3.50 / $0.35 / $28.00, GPT-5 $2.50 / $0.25 / $20.00, GPT-5 mini $0.45 / $0.045 / $3.60,
 * GPT-4.1 $3.50 / $0.875 / $14.00.
 * Ultrafast: "Requests served at Ultrafast are billed at 6× the standard per-token rate", GPT-6 Astra $60 / $6 / $75 / $300.
 * https://developers.openai.com/api/docs/guides/ultrafast-mode
 * Names of fast mode in answers: `fast` from GPT-6 on, `priority` before. https://docs.litellm.ai/docs/providers/openai/ultrafast
 */
export const openaiModels: Record<string, Model> = {
  // The page has no row of Flex for GPT-6.2, and no figure of Ultrafast that could be read.
  'gpt-6.2-sol': {
    standard: sol62,
    tiers: { fast: fastOf(sol62, '2', true) },
    fastName: 'fast',
  },
  'gpt-6-astra': {
    standard: astra6,
    tiers: {
      flex: flexOf(astra6),
      fast: fastOf(astra6, '2', true),
      ultrafast: scaledPrice(astra6, '6'),
    },
    fastName: 'fast',
  },
  'gpt-5.6-sol': {
    standard: sol56,
    tiers: { flex: flexOf(sol56), fast: fastOf(sol56, '2', true) },
    fastName: 'priority',
  },
  'gpt-5.5': {
    standard: gpt55,
    tiers: { flex: flexOf(gpt55), fast: fastOf(gpt55, '2.5', false) },
    fastName: 'priority',
  },
  'gpt-5.4': {
    standard: gpt54,
    tiers: { flex: flexOf(gpt54), fast: fastOf(gpt54, '2', false) },
    fastName: 'priority',
  },
  'gpt-5.4-mini': {
    standard: mini54,
    tiers: { flex: flexOf(mini54), fast: fastOf(mini54, '2', false) },
    fastName: 'priority',
  },
  'gpt-5.2': {
    standard: gpt52,
    tiers: { flex: flexOf(gpt52), fast: fastOf(gpt52, '2', false) },
    fastName: 'priority',
  },
  'gpt-5': {
    standard: gpt5,
    tiers: { flex: flexOf(gpt5), fast: fastOf(gpt5, '2', false) },
    fastName: 'priority',
  },
  'gpt-5-mini': {
    standard: mini5,
    tiers: { flex: flexOf(mini5), fast: fastOf(mini5, '1.8', false) },
    fastName: 'priority',
  },
  'gpt-4.1': {
    standard: gpt41,
    tiers: { fast: fastOf(gpt41, '1.75', false) },
    fastName: 'priority',
  },
  'gpt-4o': {
    standard: gpt4o,
    tiers: { fast: fastOf(gpt4o, '1.7', false) },
    fastName: 'priority',
  },
  // https://developers.openai.com/api/docs/pricing: text $2.50 / $10.00, audio $32.00 / $64.00.
  'gpt-audio-1.5': {
    standard: { input: '2.5', output: '10', audioInput: '32', audioOutput: '64' },
    tiers: {},
    fastName: 'priority',
  },
}
