/** An exact decimal number: digits / 10^scale, with scale >= 0. Prices and ratios use it instead of floating point. */
export type Decimal = { digits: bigint; scale: number }

/** Also limits the digits on each side of the point. Above any price, and below the size at which bigints become slow. */
const exponentMax = 400

/** Parses `12`, `0.5`, `.5` and the forms JavaScript prints, such as `1e-7`. Undefined if the value is no finite decimal. */
export const parseDecimal = (value: string | number): Decimal | undefined => {
  const match = /^([+-]?)(\d{0,400})(?:\.(\d{0,400}))?(?:[eE]([+-]?\d{1,4}))?$/.exec(String(value))
  if (!match) return undefined
  const [, sign, whole = '', fraction = '', exponent = '0'] = match
  const shift = Number(exponent)
  if (whole + fraction === '' || Math.abs(shift) > exponentMax) return undefined
  const digits = BigInt(whole + fraction) * (sign === '-' ? -1n : 1n)
  const scale = fraction.length - shift
  return trimmed(scale < 0 ? { digits: digits * powerOfTen(-scale), scale: 0 } : { digits, scale })
}

/** Plain digits, never an exponent: `0.0000001`. */
export const formatDecimal = ({ digits, scale }: Decimal): string => {
  const sign = digits < 0n ? '-' : ''
  const text = (digits < 0n ? -digits : digits).toString().padStart(scale + 1, '0')
  if (scale === 0) return sign + text
  return `${sign}${text.slice(0, -scale)}.${text.slice(-scale)}`
}

/** Canonical text of a decimal, used for storage and hashing. Undefined if the value is no finite decimal. */
export const canonicalDecimal = (value: string | number): string | undefined => {
  const exact = parseDecimal(value)
  return exact && formatDecimal(exact)
}

/** Canonical text of a number that a schema has validated as finite. Throws for NaN and Infinity. */
export const formatNumber = (value: number): string => formatDecimal(parseDecimal(value)!)

export const multiply = (...factors: Decimal[]): Decimal =>
  trimmed({
    digits: factors.reduce((product, { digits }) => product * digits, 1n),
    scale: factors.reduce((sum, { scale }) => sum + scale, 0),
  })

/** Quotient truncated to `places` decimals. Neither operand may be negative, and the divisor not zero. */
export const divide = (dividend: Decimal, divisor: Decimal, decimalPlaces: number): Decimal =>
  trimmed({
    digits:
      (dividend.digits * powerOfTen(decimalPlaces + divisor.scale)) /
      (divisor.digits * powerOfTen(dividend.scale)),
    scale: decimalPlaces,
  })

/** The number times 10^targetScale. Throws RangeError if `targetScale` is below the scale of the number. */
export const rescale = ({ digits, scale }: Decimal, targetScale: number): bigint =>
  digits * powerOfTen(targetScale - scale)

export const powerOfTen = (power: number): bigint => 10n ** BigInt(power)

const trimmed = ({ digits, scale }: Decimal): Decimal => {
  if (digits === 0n) return { digits, scale: 0 }
  let remaining = digits
  let places = scale
  while (places > 0 && remaining % 10n === 0n) {
    remaining /= 10n
    places -= 1
  }
  return { digits: remaining, scale: places }
}
