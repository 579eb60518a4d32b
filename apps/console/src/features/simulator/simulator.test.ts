import type { Price } from '@hub/contract'
import { expect, it } from 'vitest'
import { changeOf, isPriceText, isRatioText, priceOf } from './changes.ts'
import { addReplayPage, percentOf, totalOf, totalsCsv, usdText } from './totals.ts'

const price: Price = {
  ...{ model: 'm', type: 'tokens', channel_type: 0, input: 0.075, output: 0.3, locked: false },
  ...{ extra_ratios: { cached_tokens: 0.5 }, tiers: null, tool_prices: null },
}

it('a price that is typed in dollars is sent as its exact ratio', () => {
  const change = changeOf(price)
  expect(change).toMatchObject({ input: '0.15', output: '0.6' })
  expect(priceOf(change)).toEqual(price)
  expect(priceOf({ ...change, input: '0.1' })).toEqual({ ...price, input: 0.05 })
  const call: Price = { ...price, type: 'times', input: 7 }
  expect(changeOf(call).input).toBe('0.014')
  expect(priceOf({ ...changeOf(call), input: '0.02' }).input).toBe(10)
  for (const text of ['', '-1', 'x', '1e12']) expect(isPriceText(price, text)).toBe(false)
  for (const text of ['', '-0.5', 'abc']) expect(isRatioText(text)).toBe(false)
  expect(isRatioText('0.85')).toBe(true)
})

it('pages add up exactly beyond the safe integer range, the most expensive model first', () => {
  const page = (model: string, charged: string, simulated: string) => ({
    ...{ model, requests: 2, charged, simulated },
  })
  const large = '9007199254740993'
  let totals = addReplayPage([], [page('a', '10', '5'), page('b', large, large)])
  totals = addReplayPage(totals, [page('b', '1', '3')])
  expect(totals.map(each => each.model)).toEqual(['b', 'a'])
  expect(totalOf(totals)).toMatchObject({
    ...{ requests: 6, charged: 9007199254741004n, simulated: 9007199254741001n },
  })
})

it('formats a difference in dollars and percent', () => {
  const total = (charged: bigint, simulated: bigint) => ({
    ...{ model: 'm', requests: 1, charged, simulated },
  })
  expect(percentOf(total(3n, 4n))).toBe('+33.3%')
  expect(percentOf(total(1000n, 500n))).toBe('-50%')
  expect(percentOf(total(0n, 5n))).toBeUndefined()
  expect(usdText(617_283_945n)).toBe('$1,234.56789')
  expect(usdText(-500_000n)).toBe('−$1.00')
  const csv = totalsCsv(key => key, [total(1000n, 500n)])
  expect(csv).toContain('m,1,1000,500,-500')
  expect(csv.trim().split('\r\n')).toHaveLength(3)
})
