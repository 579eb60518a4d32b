import type { Balance, Left } from './define.ts'

/** A value deep in an answer; undefined where the way to it does not exist. */
const at = (value: unknown, ...path: (string | number)[]): unknown =>
  path.reduce<unknown>(
    (each, key) => (typeof each === 'object' && each !== null ? Reflect.get(each, key) : undefined),
    value,
  )

/** Numbers, and numbers in text; to a millionth, since some vendors only tell two figures to subtract. */
const left = (currency: Left['currency'], ...[given, used = 0]: unknown[]): Left | undefined => {
  if (given === undefined || given === null || given === '') return undefined
  const amount = Math.round((Number(given) - Number(used)) * 1e6) / 1e6
  return Number.isFinite(amount) ? { amount, currency } : undefined
}

/** One figure in one answer. */
export const balanceAt = (
  path: string,
  currency: (baseUrl: string) => Left['currency'],
  ...way: string[]
): Balance => ({
  paths: [path],
  read: ([answer], baseUrl) => left(currency(baseUrl), at(answer, ...way)),
})

/** What was bought, and what of it was used. */
export const balanceOf = (path: string, bought: string[], used: string[]): Balance => ({
  paths: [path],
  read: ([answer]) => {
    const spent = at(answer, ...used)
    return spent === undefined ? undefined : left('USD', at(answer, ...bought), spent)
  },
})

/** A list with an entry for each currency: the one that has most in it is the account's. */
export const balanceIn = (path: string, list: string, amount: string): Balance => ({
  paths: [path],
  read: ([answer]) => {
    const entries = at(answer, list)
    if (!Array.isArray(entries)) return undefined
    return entries
      .flatMap(each => {
        const currency = at(each, 'currency')
        const isKnown = currency === 'USD' || currency === 'CNY'
        return (isKnown && left(currency, at(each, amount))) || []
      })
      .toSorted((a, b) => b.amount - a.amount)[0]
  },
})

/**
 * The billing addresses of OpenAI's old dashboard: OpenAI itself has shut them for API keys, gateways still answer them.
 * The limit in dollars, and what was used in cents.
 */
export const dashboardBilling: Balance = {
  paths: ['/v1/dashboard/billing/subscription', '/v1/dashboard/billing/usage'],
  read: ([subscription, usage]) => {
    const cents = at(usage, 'total_usage')
    if (typeof cents !== 'number') return undefined
    return left('USD', at(subscription, 'hard_limit_usd'), cents / 100)
  },
}
