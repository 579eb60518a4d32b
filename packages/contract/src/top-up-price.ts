/**
 * The price of a top-up: `(value * discount + fee) * exchange rate`, in which the fee is
 * `value * discount * percent fee`, or the fixed fee if the gateway has no percent fee.
 *
 * Server and browser share this function. It computes with exact decimals. Each figure is rounded once, half up, from
 * its exact value; only the fee is the difference of two rounded figures, so that the printed lines add up.
 */
export interface TopUpTerms {
  /** The part of the amount that is paid, by amount: `{"100": 0.9}` sells 100 dollars for 90. */
  discounts: Readonly<Record<string, number>>
  /** The price of one US dollar in `currency`. It is ignored if the currency is USD. */
  exchangeRate: number
  /** The currency of the payment, an ISO 4217 code. */
  currency: string
  /** US dollars. */
  fixedFee: number
  /** 0.05 is 5 %. A percent fee replaces the fixed fee, as in One Hub. */
  percentFee: number
}

export interface TopUpPrice {
  /** The discount factor that applies, 1 without one. */
  discount: number
  /** The exchange rate that applies, 1 for USD. */
  exchangeRate: number
  /** The bought amount after the discount, in US cents. */
  discountedCents: number
  /** In US cents. */
  feeCents: number
  /** Discounted amount and fee, in US cents. */
  totalCents: number
  /** The sum to pay, in the smallest unit of the currency. */
  charge: number
  currency: string
}

/** The largest top-up in US dollars. */
export const topUpMax = 1_000_000

/** Undefined if the amount of US dollars can be bought. */
export const topUpProblem = (
  amount: number,
  minimum: number,
): 'not_positive_integer' | 'below_minimum' | 'above_maximum' | undefined => {
  if (!Number.isInteger(amount) || amount <= 0) return 'not_positive_integer'
  if (amount < minimum) return 'below_minimum'
  return amount > topUpMax ? 'above_maximum' : undefined
}

/** Throws RangeError for an amount that `topUpProblem` refuses, and for terms that are negative or not finite. */
export const priceTopUp = (amount: number, terms: TopUpTerms): TopUpPrice => {
  if (topUpProblem(amount, 1)) throw new RangeError('amount')
  const { discounts, currency } = terms
  const discount = Object.hasOwn(discounts, amount) ? discounts[amount]! : 1
  const exchangeRate = currency === 'USD' ? 1 : terms.exchangeRate
  const discounted = multiply(exact(amount), exact(discount))
  const percentFee = exact(terms.percentFee)
  const fee = percentFee.digits > 0n ? multiply(discounted, percentFee) : exact(terms.fixedFee)
  const total = add(discounted, fee)
  const discountedCents = rounded(discounted, 2)
  const totalCents = rounded(total, 2)
  return {
    discount,
    exchangeRate,
    discountedCents,
    feeCents: totalCents - discountedCents,
    totalCents,
    // Vendors refuse a payment of nothing.
    charge: Math.max(1, rounded(multiply(total, exact(exchangeRate)), minorDigits(currency))),
    currency,
  }
}

/** The decimals of a currency's amounts in its smallest unit. */
export const minorDigits = (currency: string): number => (wholeCurrencies.has(currency) ? 0 : 2)

/** Currencies without a smaller unit, as in ISO 4217. */
const wholeCurrencies = new Set(['CLP', 'ISK', 'JPY', 'KRW', 'PYG', 'UGX', 'VND', 'XAF', 'XOF'])

/** digits / 10^scale. Neither is negative. */
interface Exact {
  digits: bigint
  scale: number
}

const tenTo = (power: number) => 10n ** BigInt(power)

const exact = (value: number): Exact => {
  const match = /^(\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/.exec(String(value))
  if (!match) throw new RangeError(`not a number from 0: ${value}`)
  const [, whole = '', fraction = '', exponent = '0'] = match
  const scale = fraction.length - Number(exponent)
  const digits = BigInt(whole + fraction)
  return scale < 0 ? { digits: digits * tenTo(-scale), scale: 0 } : { digits, scale }
}

const multiply = (left: Exact, right: Exact): Exact => ({
  digits: left.digits * right.digits,
  scale: left.scale + right.scale,
})

const add = (left: Exact, right: Exact): Exact => {
  const scale = Math.max(left.scale, right.scale)
  const aligned = (each: Exact) => each.digits * tenTo(scale - each.scale)
  return { digits: aligned(left) + aligned(right), scale }
}

/** The number in units of 10^-places, rounded half up. */
const rounded = ({ digits, scale }: Exact, places: number): number => {
  const divisor = tenTo(scale)
  const units = Number((2n * digits * tenTo(places) + divisor) / (2n * divisor))
  if (!Number.isSafeInteger(units)) throw new RangeError('amount too large')
  return units
}
