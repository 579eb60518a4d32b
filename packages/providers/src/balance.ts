import type { AccountBalance, BalanceQuery } from './define.ts'

/** A nested value. Undefined: the path does not exist. */
export const valueAt = (value: unknown, ...path: (string | number)[]): unknown =>
  path.reduce<unknown>(
    (each, key) => (typeof each === 'object' && each !== null ? Reflect.get(each, key) : undefined),
    value,
  )

/** Accepts numbers and numeric text. Rounds to a millionth, because some vendors give two figures to subtract. */
export const makeBalance = (
  currency: AccountBalance['currency'],
  total: unknown,
  used: unknown = 0,
): AccountBalance | undefined => {
  if (total === undefined || total === null || total === '') return undefined
  const amount = Math.round((Number(total) - Number(used)) * 1e6) / 1e6
  return Number.isFinite(amount) ? { amount, currency } : undefined
}

/** The balance is one field of one answer. */
export const balanceField = (
  path: string,
  currency: (baseUrl: string) => AccountBalance['currency'],
  ...fieldPath: string[]
): BalanceQuery => ({
  paths: [path],
  read: ([answer], baseUrl) => makeBalance(currency(baseUrl), valueAt(answer, ...fieldPath)),
})

/** The balance is a number of credits. */
export const creditBalance = (path: string, creditsPerDollar: number): BalanceQuery => ({
  paths: [path],
  read: ([answer]) => {
    const credits = valueAt(answer, 'credits')
    return typeof credits === 'number' ? makeBalance('USD', credits / creditsPerDollar) : undefined
  },
})

/** The balance is the difference between a bought and a used amount. */
export const balanceDifference = (
  path: string,
  boughtPath: string[],
  usedPath: string[],
): BalanceQuery => ({
  paths: [path],
  read: ([answer]) => {
    const used = valueAt(answer, ...usedPath)
    return used === undefined ? undefined : makeBalance('USD', valueAt(answer, ...boughtPath), used)
  },
})

/** The answer has a list with one entry per currency. The largest amount is the balance of the account. */
export const balanceByCurrency = (
  path: string,
  listField: string,
  amountField: string,
): BalanceQuery => ({
  paths: [path],
  read: ([answer]) => {
    const entries = valueAt(answer, listField)
    if (!Array.isArray(entries)) return undefined
    return entries
      .flatMap(each => {
        const currency = valueAt(each, 'currency')
        const isSupported = currency === 'USD' || currency === 'CNY'
        return (isSupported && makeBalance(currency, valueAt(each, amountField))) || []
      })
      .toSorted((a, b) => b.amount - a.amount)[0]
  },
})

/** The remaining quota of a key of sub2api: https://github.com/Wei-Shaw/sub2api/pull/452. Without a limit `remaining` is -1. */
export const gatewayUsage = {
  paths: ['/v1/usage'] as const,
  read: ([answer]: readonly unknown[]) => {
    const remaining = valueAt(answer, 'remaining')
    const isDollars = (valueAt(answer, 'unit') ?? 'USD') === 'USD'
    const isUsable = valueAt(answer, 'isValid') !== false && isDollars
    return isUsable && typeof remaining === 'number' && remaining >= 0
      ? makeBalance('USD', remaining)
      : undefined
  },
} satisfies BalanceQuery

/**
 * The billing endpoints of OpenAI's old dashboard. OpenAI refuses API keys there, but gateways still answer. The limit is
 * in dollars, the usage in cents.
 */
export const dashboardBilling = {
  paths: ['/v1/dashboard/billing/subscription', '/v1/dashboard/billing/usage'] as const,
  read: ([subscription, usage]: readonly unknown[]) => {
    const cents = valueAt(usage, 'total_usage')
    if (typeof cents !== 'number') return undefined
    return makeBalance('USD', valueAt(subscription, 'hard_limit_usd'), cents / 100)
  },
} satisfies BalanceQuery
