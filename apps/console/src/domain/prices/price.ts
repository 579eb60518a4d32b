import {
  type Decimal,
  decimal,
  dividedBy,
  readDecimal,
  rounded,
  significant,
  times,
  writeDecimal,
} from '../decimal.ts'

/** How prices are shown and typed: as multipliers, or as money for 1,000 or 1,000,000 tokens. */
export const units = ['ratio', 'usd', 'cny'] as const
export type Unit = (typeof units)[number]
export const scales = ['k', 'm'] as const
export type Scale = (typeof scales)[number]
export type PriceView = { unit: Unit; scale: Scale }

/** The contract keeps a multiplier to this many places. */
const placesMax = 12

/** Multiplier 1 is $0.002 or 0.014 yuan for 1,000 tokens, or for one call. */
const moneyOfOne: Record<Exclude<Unit, 'ratio'>, Decimal> = {
  usd: decimal('0.002'),
  cny: decimal('0.014'),
}

const factor = ({ unit, scale }: PriceView): Decimal => {
  if (unit === 'ratio') return decimal(1)
  return scale === 'm' ? times(moneyOfOne[unit], decimal(1000)) : moneyOfOne[unit]
}

/** What an operator typed, as a multiplier. A price above zero never becomes free: the last place is kept. */
export const toRatio = (text: string, view: PriceView): string | undefined => {
  const typed = readDecimal(text)
  if (!typed || typed.units < 0n) return undefined
  const ratio =
    view.unit === 'ratio' ? rounded(typed, placesMax) : dividedBy(typed, factor(view), placesMax)
  if (ratio.units === 0n && typed.units !== 0n)
    return writeDecimal({ units: 1n, places: placesMax })
  return writeDecimal(ratio)
}

/**
 * A multiplier as the text of a field. The shortest text that means the same multiplier, so that 7 yuan typed
 * comes back as 7 and not as 6.999999999994.
 */
export const fromRatio = (ratio: string | number, view: PriceView): string => {
  const exact = times(decimal(ratio), factor(view))
  if (view.unit === 'ratio') return writeDecimal(exact)
  const wanted = writeDecimal(rounded(decimal(ratio), placesMax))
  for (let places = 0; places < exact.places; places++) {
    const shorter = writeDecimal(rounded(exact, places))
    if (toRatio(shorter, view) === wanted) return shorter
  }
  return writeDecimal(exact)
}

/** What an operator typed in one view, in another. */
export const convertPrice = (text: string, from: PriceView, to: PriceView): string => {
  const ratio = toRatio(text, from)
  return ratio === undefined ? text : fromRatio(ratio, to)
}

const signs: Record<Unit, string> = { ratio: '', usd: '$', cny: '¥' }

/** For people: `$2.5`, `¥0.0175`, `1.25`. Six significant digits; undefined where it is free. */
export const priceText = (ratio: string | number, view: PriceView): string | undefined => {
  const exact = times(decimal(ratio), factor(view))
  if (exact.units === 0n) return undefined
  return `${signs[view.unit]}${significant(exact)}`
}

/** A multiplier as a group pays it, exactly. */
export const multiplyRatio = (ratio: string | number, group: string | number): string =>
  writeDecimal(times(decimal(ratio), decimal(group)))
