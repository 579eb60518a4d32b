import { anthropic } from '../../../upstream/billing/anthropic.ts'
import { sumOf, times, tokens } from '../../../upstream/billing/money.ts'
import { openai } from '../../../upstream/billing/openai.ts'
import type { Rates } from '../../../upstream/billing/vendor.ts'

/** Tokens of one answer as its vendor counts them; the classes of the prompt do not overlap. */
export type Counted = {
  input: number
  cached: number
  fiveMinutes: number
  hour: number
  output: number
}

/** One answer on the vendor's bill. */
export type Billed = { model: string; counted: Counted; points: number }

/** A point is $0.000002. The gateway rounds the charge of each call up. */
const usdPerPoint = 2n * 10n ** 12n

/** Rows of https://developers.openai.com/api/docs/pricing that no other test needs. */
const more: Record<string, Rates> = {
  'gpt-6.1-sol': { input: '2', cached: '0.1', output: '10' },
  'gpt-6-luna': { input: '0.1', cached: '0.01', output: '0.5' },
}

const ratesOf = (model: string): Rates => {
  const rates = { ...anthropic.prices, ...openai.prices, ...more }[model]
  if (!rates) throw new Error(`The vendor's price of ${model} is not known.`)
  return rates
}

export const bill = (model: string, counted: Counted): Billed => {
  const { input, output, cached = input, write, write1h } = ratesOf(model)
  const amount = sumOf([
    tokens('input', counted.input, input),
    tokens('cache hits', counted.cached, cached),
    tokens('5m cache writes', counted.fiveMinutes, write ?? input),
    tokens('1h cache writes', counted.hour, write1h ?? times(input, '2')),
    tokens('output', counted.output, output),
  ])
  return { model, counted, points: Number((amount + usdPerPoint - 1n) / usdPerPoint) }
}
