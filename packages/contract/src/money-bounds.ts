import { z } from 'zod'

export type MoneyBound = {
  min: number
  max: number
  /** A usual value, with its meaning where the unit is not obvious. */
  example: string
  integer?: true
  /** The most digits after the point. */
  places?: number
}

/** The bounds of every setting, price, ratio and fee by which money is computed. A number outside is a mistake. */
export const moneyBounds = {
  /** Whole, so that the smallest top-up of 1 USD buys at least one point. */
  QuotaPerUnit: { min: 1, max: 1_000_000_000, integer: true, example: '500000' },
  /** Yuan for one US dollar. */
  PaymentUSDRate: { min: 0.01, max: 1000, example: '7.3' },
  /** US dollars; the largest top-up is `topUpMax`. */
  PaymentMinAmount: { min: 1, max: 1_000_000, integer: true, example: '10' },
  /** The part of the amount that is paid. */
  discount: { min: 0.01, max: 1, example: '0.9 (the payer pays 90 %)' },
  QuotaForNewUser: { min: 0, max: 1_000_000_000, integer: true, example: '100000' },
  QuotaForInviter: { min: 0, max: 1_000_000_000, integer: true, example: '50000' },
  QuotaForInvitee: { min: 0, max: 1_000_000_000, integer: true, example: '50000' },
  PreConsumedQuota: { min: 0, max: 100_000_000, integer: true, example: '500' },
  AutoPriceUpdateApprovalPercent: { min: 0, max: 10_000, example: '20 (20 %)' },
  /** A part of the amount. Forms show it in percent. */
  percent_fee: { min: 0, max: 0.5, places: 4, example: '0.05 (5 %)' },
  /** US dollars. */
  fixed_fee: { min: 0, max: 1000, places: 2, example: '0.3' },
  /** Multiplies every price of a group. */
  groupRatio: { min: 0, max: 1000, example: '1' },
  // Operators close a model by a price that nobody pays, so that prices have no lower maximum.
  /** A multiplier, 1 = 2 USD per million tokens, or the price of a call in 1,000 points. */
  price: { min: 0, max: 1_000_000_000, example: '1.25 (2.50 USD per million tokens)' },
  /** Multiplies the price of a side for a class of tokens. */
  extraRatio: { min: 0, max: 1_000_000_000, example: '0.1' },
  /** US dollars for one call of a tool. */
  toolPrice: { min: 0, max: 1_000_000_000, example: '0.01' },
} as const satisfies Record<string, MoneyBound>

export type MoneyField = keyof typeof moneyBounds

/** The sentence with which a number outside the bounds is refused, after the name of its field. */
export const boundSentence = ({ min, max, integer, places, example }: MoneyBound): string =>
  [
    `must be ${integer ? 'a whole number ' : ''}from ${min} to ${max}`,
    ...(places === undefined ? [] : [`with at most ${places} decimals`]),
    `such as ${example}`,
  ].join(', ')

/** A number within the bounds of a field of money. */
export const moneyNumber = (field: MoneyField) => {
  const bound: MoneyBound = moneyBounds[field]
  const error = boundSentence(bound)
  const { min, max, integer, places } = bound
  const number = z.number().min(min, error).max(max, error)
  const whole = integer ? number.int(error) : number
  return places === undefined
    ? whole
    : whole.refine(value => Number(value.toFixed(places)) === value, error)
}
