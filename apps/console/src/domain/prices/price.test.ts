import { expect, it } from 'vitest'
import { convertPrice, fromRatio, type PriceView, priceText, toRatio } from './price.ts'

const usdM: PriceView = { unit: 'usd', scale: 'm' }
const usdK: PriceView = { unit: 'usd', scale: 'k' }
const cnyM: PriceView = { unit: 'cny', scale: 'm' }
const cnyK: PriceView = { unit: 'cny', scale: 'k' }
const ratio: PriceView = { unit: 'ratio', scale: 'k' }

it('money and multipliers convert exactly', () => {
  expect(toRatio('2', usdM)).toBe('1')
  expect(toRatio('0.002', usdK)).toBe('1')
  expect(toRatio('14', cnyM)).toBe('1')
  expect(toRatio('0.014', cnyK)).toBe('1')
  expect(toRatio('0.15', usdM)).toBe('0.075')
  expect(fromRatio('0.075', usdM)).toBe('0.15')
  expect(fromRatio(1.25, cnyK)).toBe('0.0175')
})

it('a price above zero never becomes free', () => {
  expect(toRatio('0.00001', usdM)).toBe('0.000005')
  expect(toRatio('0.0000001', cnyM)).toBe('0.000000007143')
  expect(toRatio('0.00000000000001', usdM)).toBe('0.000000000001')
  expect(toRatio('0', usdM)).toBe('0')
})

it('a typed price is shown again as it was typed', () => {
  for (const text of ['0.1', '1', '3', '7', '0.35', '99.99', '0.0123']) {
    for (const view of [usdM, usdK, cnyM, cnyK, ratio]) {
      expect(fromRatio(toRatio(text, view)!, view)).toBe(text)
    }
  }
})

it('a price keeps its value when the unit changes', () => {
  expect(convertPrice('2.5', usdM, cnyM)).toBe('17.5')
  expect(convertPrice('1.25', ratio, usdM)).toBe('2.5')
  expect(convertPrice('not a number', usdM, cnyM)).toBe('not a number')
})

it('text that is not a price is refused', () => {
  expect(toRatio('', usdM)).toBeUndefined()
  expect(toRatio('-1', usdM)).toBeUndefined()
  expect(toRatio('1,5', usdM)).toBeUndefined()
  expect(toRatio('1e400', usdM)).toMatch(/^5/)
})

it('prices have six significant digits, and free has no text', () => {
  expect(priceText(1.2345678, usdM)).toBe('$2.46914')
  expect(priceText('0.0000005', usdK)).toBe('$0.000000001')
  expect(priceText(0.25, cnyK)).toBe('¥0.0035')
  expect(priceText(0, usdM)).toBeUndefined()
})
