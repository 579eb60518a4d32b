import type { AccountBalance, BalanceKind } from './define.ts'

// Amounts are whole numbers of 10^-10 of the currency, so that a balance and the difference of two are exact.

const decimalPlaces = 10
const scale = 10n ** BigInt(decimalPlaces)

/**
 * Accepts numbers and decimal text below a trillion: a larger number is a mistake, or stands for “without a limit”.
 * Undefined: it is no amount of money.
 */
export const unitsOf = (value: unknown): bigint | undefined => {
  const text = typeof value === 'string' ? value.trim() : plainText(value)
  const match = /^([+-]?)(\d{1,12})(?:\.(\d{1,100}))?$/.exec(text)
  if (!match) return undefined
  const [, sign, whole = '', fraction = ''] = match
  const units = BigInt(whole + fraction.slice(0, decimalPlaces).padEnd(decimalPlaces, '0'))
  return sign === '-' ? -units : units
}

/** JavaScript prints numbers below a millionth with an exponent. */
const plainText = (value: unknown): string => {
  if (typeof value !== 'number' || !Number.isFinite(value)) return ''
  const text = String(value)
  return text.includes('e') ? value.toFixed(decimalPlaces) : text
}

/** The quotient of two numbers or decimal texts. Undefined: one is no amount, or the divisor is not above zero. */
export const quotient = (dividend: unknown, divisor: unknown): bigint | undefined => {
  const [units, divisorUnits] = [unitsOf(dividend), unitsOf(divisor)]
  if (units === undefined || divisorUnits === undefined || divisorUnits <= 0n) return undefined
  return (units * scale) / divisorUnits
}

/** Undefined: one of the two is. */
export const difference = (
  total: bigint | undefined,
  used: bigint | undefined,
): bigint | undefined => (total === undefined || used === undefined ? undefined : total - used)

export const makeBalance = (
  currency: AccountBalance['currency'],
  kind: BalanceKind,
  units: bigint | undefined,
): AccountBalance | undefined =>
  units === undefined ? undefined : { amount: textOf(units), currency, kind }

/** Plain digits without zeros at the end, and never an exponent. */
const textOf = (units: bigint): string => {
  const digits = (units < 0n ? -units : units).toString().padStart(decimalPlaces + 1, '0')
  const fraction = digits.slice(-decimalPlaces).replace(/0+$/, '')
  const text = digits.slice(0, -decimalPlaces) + (fraction && `.${fraction}`)
  return units < 0n ? `-${text}` : text
}
