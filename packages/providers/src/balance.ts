import { difference, makeBalance, quotient, unitsOf } from './balance-amount.ts'
import type { AccountBalance, BalanceQuery } from './define.ts'

/** A nested value. Undefined: the path does not exist. */
export const valueAt = (value: unknown, ...path: (string | number)[]): unknown =>
  path.reduce<unknown>(
    (each, key) => (typeof each === 'object' && each !== null ? Reflect.get(each, key) : undefined),
    value,
  )

/** The balance is one field of one answer. */
export const balanceField = (
  path: string,
  currency: (baseUrl: string) => AccountBalance['currency'],
  ...fieldPath: string[]
): BalanceQuery => ({
  paths: [path],
  read: ([answer], baseUrl) =>
    makeBalance(currency(baseUrl), 'wallet', unitsOf(valueAt(answer, ...fieldPath))),
})

/** The balance is a number of credits. */
export const creditBalance = (path: string, creditsPerDollar: number): BalanceQuery => ({
  paths: [path],
  read: ([answer]) => {
    const credits = valueAt(answer, 'credits')
    return typeof credits === 'number'
      ? makeBalance('USD', 'wallet', quotient(credits, creditsPerDollar))
      : undefined
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
    const [bought, used] = [boughtPath, usedPath].map(each => unitsOf(valueAt(answer, ...each)))
    return makeBalance('USD', 'wallet', difference(bought, used))
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
        const units = unitsOf(valueAt(each, amountField))
        return (isSupported && makeBalance(currency, 'wallet', units)) || []
      })
      .toSorted((a, b) => Number(b.amount) - Number(a.amount))[0]
  },
})

/** New API reports this limit for a key without one: https://github.com/QuantumNous/new-api/blob/main/controller/billing.go */
const unlimited = 100_000_000

/**
 * The billing endpoints of OpenAI's old dashboard. OpenAI refuses API keys there, but gateways still answer: with the quota
 * of the key or the balance of its user, and they do not say which. The limit is in dollars, the usage in cents.
 */
export const dashboardBilling = {
  paths: ['/v1/dashboard/billing/subscription', '/v1/dashboard/billing/usage'] as const,
  isOffered: (baseUrl: string) => URL.parse(baseUrl)?.hostname !== 'api.openai.com',
  read: ([subscription, usage]: readonly unknown[]) => {
    const limit = valueAt(subscription, 'hard_limit_usd')
    if (Number(limit) === unlimited) return undefined
    return makeBalance(
      'USD',
      '',
      difference(unitsOf(limit), quotient(valueAt(usage, 'total_usage'), 100)),
    )
  },
} satisfies BalanceQuery
