import { describe, expect, it } from 'vitest'
import { times } from '../../../../test/upstream/billing/money.ts'
import { billingVendors } from '../../../../test/upstream/billing/start.ts'
import type { Priced } from '../../../../test/upstream/billing/vendor.ts'
import shipped from '../../src/billing/defaults/prices.json' with { type: 'json' }

type Shipped = {
  model: string
  currency?: string
  input: string
  output: string
  cached?: string
  extra?: Record<string, string>
  long?: { above: number; input: string; output: string }[]
}

/** Lists whose other figures the shipped prices say they come from: peak hours in CNY, and One Hub's list. */
const listedElsewhere = new Set(['deepseek-flash', 'deepseek-v4-pro', 'mistral-large-latest'])

const rows = new Map((shipped.prices as unknown as Shipped[]).map(each => [each.model, each]))
const both = billingVendors.flatMap(({ prices }) =>
  Object.entries(prices).flatMap(([model, price]) => {
    const row = rows.get(model)
    return row && !listedElsewhere.has(model) ? [{ model, price, row }] : []
  }),
)

/** A ratio may be cut at its twelfth digit. */
const product = (price: string, ratio: string | undefined) =>
  ratio === undefined ? undefined : Number(Number(times(price, ratio)).toFixed(9))

const figuresOf = ({ input, output, cached, audioInput, audioOutput, long }: Priced) => ({
  ...{ input: Number(input), output: Number(output) },
  cached: cached === undefined ? undefined : Number(cached),
  audioInput: audioInput === undefined ? undefined : Number(audioInput),
  audioOutput: audioOutput === undefined ? undefined : Number(audioOutput),
  long: long && { above: long.above, input: Number(long.input), output: Number(long.output) },
})

const shippedFigures = ({ input, output, cached, extra, long }: Shipped) => ({
  ...{ input: Number(input), output: Number(output) },
  cached: cached === undefined ? undefined : Number(cached),
  audioInput: product(input, extra?.input_audio_tokens),
  audioOutput: product(output, extra?.output_audio_tokens),
  long: long?.[0] && {
    ...{ above: long[0].above, input: Number(long[0].input), output: Number(long[0].output) },
  },
})

describe('the shipped price list', () => {
  it('has most models of the vendors that bill', () => {
    expect(both.length).toBeGreaterThan(20)
  })

  it.each(both)('has the price of $model that its vendor bills by', ({ price, row }) => {
    expect(shippedFigures(row)).toEqual(figuresOf(price))
  })
})
