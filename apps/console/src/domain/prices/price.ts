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

/** Prices are shown and typed as multipliers, or as money per 1,000 or 1,000,000 tokens. */
export const units = ['ratio', 'usd', 'cny'] as const
export type Unit = (typeof units)[number]
export const scales = ['k', 'm'] as const
export type Scale = (typeof scales)[number]
export type PriceView = { unit: Unit; scale: Scale }

/** The API accepts multipliers with at most 12 decimal places. */
const maxPlaces = 12

/** Multiplier 1 is $0.002 or 0.014 yuan for 1,000 tokens or for one call. */
const unitPrice: Record<Exclude<Unit, 'ratio'>, Decimal> = {
  usd: decimal('0.002'),
  cny: decimal('0.014'),
}

const factor = ({ unit, scale }: PriceView): Decimal => {
  if (unit === 'ratio') return decimal(1)
  return scale === 'm' ? times(unitPrice[unit], decimal(1000)) : unitPrice[unit]
}

/** Converts a typed price to a multiplier of 12 places; undefined for invalid text. A positive price never becomes 0. */
export const toRatio = (text: string, view: PriceView): string | undefined => {
  const typed = readDecimal(text)
  if (!typed || typed.units < 0n) return undefined
  const ratio =
    view.unit === 'ratio' ? rounded(typed, maxPlaces) : dividedBy(typed, factor(view), maxPlaces)
  if (ratio.units === 0n && typed.units !== 0n)
    return writeDecimal({ units: 1n, places: maxPlaces })
  return writeDecimal(ratio)
}

/**
 * Converts a multiplier to the shortest text that gives the same multiplier again.
 * A typed 7 yuan is shown as 7, not as 6.999999999994.
 */
export const fromRatio = (ratio: string | number, view: PriceView): string => {
  const exact = times(decimal(ratio), factor(view))
  if (view.unit === 'ratio') return writeDecimal(exact)
  const expected = writeDecimal(rounded(decimal(ratio), maxPlaces))
  for (let places = 0; places < exact.places; places++) {
    const shorter = writeDecimal(rounded(exact, places))
    if (toRatio(shorter, view) === expected) return shorter
  }
  return writeDecimal(exact)
}

/** Converts a typed price from one view to another. Text that is no price stays as it is. */
export const convertPrice = (text: string, from: PriceView, to: PriceView): string => {
  const ratio = toRatio(text, from)
  return ratio === undefined ? text : fromRatio(ratio, to)
}

const signs: Record<Unit, string> = { ratio: '', usd: '$', cny: '¥' }

/** Formats a multiplier with six significant digits: `$2.5`, `¥0.0175`, `1.25`. Undefined when it is free. */
export const priceText = (ratio: string | number, view: PriceView): string | undefined => {
  const exact = times(decimal(ratio), factor(view))
  if (exact.units === 0n) return undefined
  return `${signs[view.unit]}${significant(exact)}`
}

/** The exact product of a price multiplier and a group ratio. */
export const multiplyRatio = (ratio: string | number, group: string | number): string =>
  writeDecimal(times(decimal(ratio), decimal(group)))
