/** An exact decimal number, digits / 10^scale. Prices and ratios use it instead of floating point. */
export type Exact = { digits: bigint; scale: number }

/** Above any price, and below the size at which bigint arithmetic becomes slow. */
const exponentMax = 400

/** Reads `12`, `0.5`, `.5` and the forms JavaScript prints, such as `1e-7`. Undefined if the value is no finite decimal. */
export const readExact = (value: string | number): Exact | undefined => {
  const match = /^([+-]?)(\d{0,400})(?:\.(\d{0,400}))?(?:[eE]([+-]?\d{1,4}))?$/.exec(String(value))
  if (!match) return undefined
  const [, sign, whole = '', fraction = '', exponent = '0'] = match
  const shift = Number(exponent)
  if (whole + fraction === '' || Math.abs(shift) > exponentMax) return undefined
  const digits = BigInt(whole + fraction) * (sign === '-' ? -1n : 1n)
  const scale = fraction.length - shift
  return trimmed(scale < 0 ? { digits: digits * ten(-scale), scale: 0 } : { digits, scale })
}

/** Plain digits, never an exponent: `0.0000001`. */
export const formatExact = ({ digits, scale }: Exact): string => {
  const sign = digits < 0n ? '-' : ''
  const text = (digits < 0n ? -digits : digits).toString().padStart(scale + 1, '0')
  if (scale === 0) return sign + text
  return `${sign}${text.slice(0, -scale)}.${text.slice(-scale)}`
}

/** Canonical text of a decimal, used for storage and hashing. */
export const plainDecimal = (value: string | number): string | undefined => {
  const exact = readExact(value)
  return exact && formatExact(exact)
}

/** Canonical text of a number that a schema has validated as finite. */
export const decimalText = (value: number): string => formatExact(readExact(value)!)

export const multiply = (...factors: Exact[]): Exact =>
  trimmed({
    digits: factors.reduce((product, { digits }) => product * digits, 1n),
    scale: factors.reduce((sum, { scale }) => sum + scale, 0),
  })

/** Quotient truncated to `places` decimals. Neither operand may be negative, and the divisor not zero. */
export const divide = (part: Exact, whole: Exact, places: number): Exact =>
  trimmed({
    digits: (part.digits * ten(places + whole.scale)) / (whole.digits * ten(part.scale)),
    scale: places,
  })

/** The digits of a number on a larger or equal scale. */
export const digitsAt = ({ digits, scale }: Exact, targetScale: number): bigint =>
  digits * ten(targetScale - scale)

export const ten = (power: number): bigint => 10n ** BigInt(power)

const trimmed = ({ digits, scale }: Exact): Exact => {
  if (digits === 0n) return { digits, scale: 0 }
  let remaining = digits
  let places = scale
  while (places > 0 && remaining % 10n === 0n) {
    remaining /= 10n
    places -= 1
  }
  return { digits: remaining, scale: places }
}
