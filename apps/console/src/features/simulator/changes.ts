import type { Price } from '@hub/contract'
import { decimal, readDecimal, times, writeDecimal } from '../../ui/decimal.ts'

/** A price as it is typed: dollars for a million tokens, or for a call. */
export type PriceChange = { price: Price; input: string; output: string }
export type GroupChange = { symbol: string; ratio: string }

/** Multiplier 1 is 2 USD per million tokens, or 0.002 USD per call. */
const unitOf = ({ type }: Price) => decimal(type === 'times' ? '0.002' : '2')
const perUnit = ({ type }: Price) => decimal(type === 'times' ? '500' : '0.5')

const usdOf = (price: Price, multiplier: number) =>
  writeDecimal(times(decimal(multiplier), unitOf(price)))

export const changeOf = (price: Price): PriceChange => ({
  price,
  input: usdOf(price, price.input),
  output: usdOf(price, price.output),
})

/** Undefined where what was typed is no price. */
const multiplierOf = (price: Price, text: string): number | undefined => {
  const usd = readDecimal(text)
  if (!usd || usd.units < 0n) return undefined
  const multiplier = Number(writeDecimal(times(usd, perUnit(price))))
  return multiplier <= 1e9 ? multiplier : undefined
}

export const isPriceText = (price: Price, text: string): boolean =>
  multiplierOf(price, text) !== undefined

export const isRatioText = (text: string): boolean => {
  const ratio = readDecimal(text)
  return ratio !== undefined && ratio.units >= 0n && Number(writeDecimal(ratio)) <= 1e9
}

/** Only input and output change: tiers, ratios and tools stay as the stored price has them. */
export const priceOf = ({ price, input, output }: PriceChange): Price => ({
  ...price,
  input: multiplierOf(price, input) ?? price.input,
  output: multiplierOf(price, output) ?? price.output,
})
