/** An exact decimal number: digits / 10^scale. Ratios and prices are read into it; no float takes part. */
export type Exact = { digits: bigint; scale: number }

/** Far above any price, far below what would make a bigint slow. */
const exponentMax = 400

/** Reads `12`, `0.5`, `.5` and the forms JavaScript prints, such as `1e-7`. Undefined: not a finite decimal number. */
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

/** The same number, written in the one plain way: what is stored and hashed. */
export const plainDecimal = (value: string | number): string | undefined => {
  const exact = readExact(value)
  return exact && formatExact(exact)
}

/** The same, of a number that a schema has already found finite. */
export const decimalText = (value: number): string => formatExact(readExact(value)!)

export const multiply = (...factors: Exact[]): Exact =>
  trimmed({
    digits: factors.reduce((product, { digits }) => product * digits, 1n),
    scale: factors.reduce((sum, { scale }) => sum + scale, 0),
  })

/** Cut off at this place where it does not end; both are not negative, the divisor is not zero. */
export const divide = (part: Exact, whole: Exact, places: number): Exact =>
  trimmed({
    digits: (part.digits * ten(places + whole.scale)) / (whole.digits * ten(part.scale)),
    scale: places,
  })

/** The digits of a number on a scale that is at least its own. */
export const digitsAt = ({ digits, scale }: Exact, wanted: number): bigint =>
  digits * ten(wanted - scale)

export const ten = (power: number): bigint => 10n ** BigInt(power)

const trimmed = ({ digits, scale }: Exact): Exact => {
  if (digits === 0n) return { digits, scale: 0 }
  let rest = digits
  let places = scale
  while (places > 0 && rest % 10n === 0n) {
    rest /= 10n
    places -= 1
  }
  return { digits: rest, scale: places }
}
