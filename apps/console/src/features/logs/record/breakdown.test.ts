import { expect, it } from 'vitest'
import { significant, writeDecimal } from '../../../domain/decimal.ts'
import { breakdownOf, savedPercent, usdOfPoints, usdOfRatio } from './breakdown.ts'

const row = (metadata: Record<string, unknown>, quota: number, prompt = 0, completion = 0) => ({
  quota,
  prompt_tokens: prompt,
  completion_tokens: completion,
  metadata,
})

it('adds up a charge with cached tokens as the ledger does', () => {
  const priced = {
    price_type: 'tokens',
    input_ratio: 2.5,
    output_ratio: 7.5,
    group_ratio: 1.2,
    group_name: 'default',
    cached_tokens: 8000,
    cached_tokens_ratio: 0.5,
  }
  const breakdown = breakdownOf(row(priced, 22500, 10000, 500))!
  expect(writeDecimal(breakdown.inputTokens)).toBe('6000')
  expect(writeDecimal(breakdown.outputTokens)).toBe('500')
  expect(breakdown.computed).toBe(22500n)
  expect(breakdown.computed).toBe(breakdown.charged)
  expect(writeDecimal(usdOfPoints(breakdown.actual))).toBe('0.045')
})

it('reasoning and text output belong to the output', () => {
  const priced = {
    input_ratio: '1',
    output_ratio: '4',
    group_ratio: '1',
    reasoning_tokens: 100,
    reasoning_tokens_ratio: '1.5',
    output_text_tokens: 10,
    output_text_tokens_ratio: '2',
  }
  const breakdown = breakdownOf(row(priced, 0, 10, 110))!
  expect(writeDecimal(breakdown.inputTokens)).toBe('10')
  expect(writeDecimal(breakdown.outputTokens)).toBe('170')
  expect(breakdown.computed).toBe(690n)
})

it('rounds up once, at the end', () => {
  const priced = { input_ratio: 0.1, output_ratio: 0.3, group_ratio: 0.1 }
  const breakdown = breakdownOf(row(priced, 1, 7, 1))!
  expect(writeDecimal(breakdown.actual)).toBe('0.1')
  expect(breakdown.computed).toBe(1n)
})

it('a price per call ignores tokens', () => {
  const priced = { price_type: 'times', input_ratio: 0.5, output_ratio: 0.5, group_ratio: 2 }
  const breakdown = breakdownOf(row(priced, 1000, 12, 34))!
  expect(breakdown.computed).toBe(1000n)
  expect(significant(usdOfRatio(breakdown.input, breakdown.priceType))).toBe('0.001')
})

it('a free price costs nothing, and a row without a price has no breakdown', () => {
  expect(
    breakdownOf(row({ input_ratio: 0, output_ratio: 0, group_ratio: 1 }, 0, 9, 9))!.computed,
  ).toBe(0n)
  expect(breakdownOf(row({}, 500))).toBeUndefined()
})

it('calculates the percentage that a group saves', () => {
  const at = (group_ratio: number) => breakdownOf(row({ input_ratio: 1, group_ratio }, 1, 1))!
  expect(savedPercent(at(0.8))).toBe(20)
  expect(savedPercent(at(1.2))).toBe(0)
})

it('multiplies the prices by the ratios of the tier and speed that served the call', () => {
  const priced = { input_ratio: 2, output_ratio: 4, group_ratio: 1 }
  const modes = { tier_flex: '0.5', region_us: '1.1', cached_write_12h_tokens: '3', tier_new: '1' }
  const breakdown = breakdownOf(row({ ...priced, modes }, 154, 100, 20))!
  expect([writeDecimal(breakdown.input), writeDecimal(breakdown.output)]).toEqual(['1.1', '2.2'])
  expect(breakdown.computed).toBe(154n)
  expect(breakdown.modes.map(([name]) => name)).toEqual(Object.keys(modes))
})
