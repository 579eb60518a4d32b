import type { Price } from '@hub/contract'
import { decimal, readDecimal, times, writeDecimal } from '../../domain/decimal.ts'

/** A changed price as typed, in dollars per million tokens or per call. */
export type EditedPrice = { price: Price; input: string; output: string }
export type EditedRatio = { symbol: string; ratio: string }

/** Ratio 1 is 2 USD per million tokens, or 0.002 USD per call. */
const unitOf = ({ type }: Price) => decimal(type === 'times' ? '0.002' : '2')
const perUnit = ({ type }: Price) => decimal(type === 'times' ? '500' : '0.5')

const usdOf = (price: Price, multiplier: number) =>
  writeDecimal(times(decimal(multiplier), unitOf(price)))

export const changeOf = (price: Price): EditedPrice => ({
  price,
  input: usdOf(price, price.input),
  output: usdOf(price, price.output),
})

/** Undefined if the text is not a valid price. */
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

/** The stored price with new input and output; tiers, ratios and tool prices do not change. */
export const priceOf = ({ price, input, output }: EditedPrice): Price => ({
  ...price,
  input: multiplierOf(price, input) ?? price.input,
  output: multiplierOf(price, output) ?? price.output,
})
