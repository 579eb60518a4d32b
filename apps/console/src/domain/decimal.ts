/** An exact decimal number: `units` / 10^`places`. Money and multipliers are never converted to floating point. */
export type Decimal = { units: bigint; places: number }

const zero: Decimal = { units: 0n, places: 0 }

/** Reads `0.00125`, `1e-7` or a number. Returns undefined for other text. */
export const readDecimal = (value: string | number): Decimal | undefined => {
  const match = /^([+-]?)(\d*)(?:\.(\d*))?(?:e([+-]?\d{1,3}))?$/i.exec(String(value).trim())
  if (!match) return undefined
  const [, sign, whole = '', fraction = '', exponent = '0'] = match
  if (whole === '' && fraction === '') return undefined
  const units = BigInt(`${sign === '-' ? '-' : ''}${whole}${fraction}`)
  return shift({ units, places: fraction.length }, Number(exponent))
}

export const decimal = (value: string | number | bigint): Decimal =>
  typeof value === 'bigint' ? { units: value, places: 0 } : (readDecimal(value) ?? zero)

export const plus = (a: Decimal, b: Decimal): Decimal => {
  const places = Math.max(a.places, b.places)
  return { units: unitsAt(a, places) + unitsAt(b, places), places }
}

export const minus = (a: Decimal, b: Decimal): Decimal =>
  plus(a, { units: -b.units, places: b.places })

export const times = (a: Decimal, b: Decimal): Decimal => ({
  units: a.units * b.units,
  places: a.places + b.places,
})

/** Divides and rounds to `places`, half away from zero. */
export const dividedBy = (a: Decimal, b: Decimal, places: number): Decimal => {
  const scaled = a.units * 10n ** BigInt(places + b.places)
  return { units: roundedQuotient(scaled, b.units * 10n ** BigInt(a.places)), places }
}

export const rounded = (a: Decimal, places: number): Decimal =>
  a.places <= places
    ? a
    : { units: roundedQuotient(a.units, 10n ** BigInt(a.places - places)), places }

/** Rounds towards zero. */
export const truncated = (a: Decimal): bigint => a.units / 10n ** BigInt(a.places)

export const ceiling = (a: Decimal): bigint => {
  const whole = truncated(a)
  return a.units > whole * 10n ** BigInt(a.places) ? whole + 1n : whole
}

export const compare = (a: Decimal, b: Decimal): number => {
  const { units } = minus(a, b)
  return units === 0n ? 0 : units > 0n ? 1 : -1
}

/** Writes plain digits without an exponent or trailing zeros: `0.0000005`. */
export const writeDecimal = (a: Decimal): string => {
  const digits = magnitude(a.units)
    .toString()
    .padStart(a.places + 1, '0')
  const whole = digits.slice(0, digits.length - a.places)
  const fraction = digits.slice(digits.length - a.places).replace(/0+$/, '')
  return `${a.units < 0n ? '-' : ''}${whole}${fraction ? `.${fraction}` : ''}`
}

/** Writes at most `digits` significant digits. Digits before the decimal point are always kept. */
export const significant = (a: Decimal, digits = 6): string => {
  const length = magnitude(a.units).toString().length
  return writeDecimal(rounded(a, Math.max(0, a.places - (length - digits))))
}

const shift = (a: Decimal, exponent: number): Decimal => {
  const places = a.places - exponent
  return places >= 0
    ? { units: a.units, places }
    : { units: a.units * 10n ** BigInt(-places), places: 0 }
}

const unitsAt = (a: Decimal, places: number) => a.units * 10n ** BigInt(places - a.places)

const magnitude = (units: bigint) => (units < 0n ? -units : units)

const roundedQuotient = (a: bigint, b: bigint): bigint => {
  const negative = a < 0n !== b < 0n
  const [top, bottom] = [magnitude(a), magnitude(b)]
  const quotient = (top * 2n + bottom) / (bottom * 2n)
  return negative ? -quotient : quotient
}
