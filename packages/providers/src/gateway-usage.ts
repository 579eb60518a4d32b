import { valueAt } from './balance.ts'
import { difference, makeBalance, unitsOf } from './balance-amount.ts'
import type { AccountBalance, BalanceQuery } from './define.ts'

/**
 * The answer of sub2api says what a key may still spend: https://github.com/Wei-Shaw/sub2api/blob/main/backend/internal/handler/gateway_handler.go
 *
 * | Shape | Balance | Kind |
 * |---|---|---|
 * | `quota` | `quota.remaining` | key |
 * | `subscription` | `remaining`, the least of its days, weeks and months | window |
 * | `rate_limits` alone | the least `remaining` of 5 hours, a day and 7 days | window |
 * | `balance` | the wallet, which a last call may bring below zero | wallet |
 * | `remaining` alone, of other gateways | the same | unknown |
 *
 * A key without any limit says -1 or nothing.
 */
export const gatewayUsage = {
  paths: ['/v1/usage'] as const,
  read: ([answer]: readonly unknown[]) => {
    const isUsable = valueAt(answer, 'isValid') !== false && valueAt(answer, 'status') !== 'expired'
    return isUsable && isDollars(answer) ? readUsage(answer) : undefined
  },
} satisfies BalanceQuery

const readUsage = (answer: unknown): AccountBalance | undefined => {
  const quota = valueAt(answer, 'quota')
  if (isObject(quota))
    return isDollars(quota)
      ? makeBalance('USD', 'key', positive(valueAt(quota, 'remaining')))
      : undefined
  const subscription = valueAt(answer, 'subscription')
  if (isObject(subscription)) return makeBalance('USD', 'window', subscriptionLeft(subscription))
  const limits = valueAt(answer, 'rate_limits')
  if (Array.isArray(limits))
    return makeBalance('USD', 'window', least(limits.map(each => valueAt(each, 'remaining'))))
  const wallet = valueAt(answer, 'balance')
  if (wallet !== undefined) return makeBalance('USD', 'wallet', unitsOf(wallet))
  return makeBalance('USD', '', positive(valueAt(answer, 'remaining')))
}

/** A limit that is null or 0 is none. */
const subscriptionLeft = (subscription: unknown): bigint | undefined =>
  lowest(
    ['daily', 'weekly', 'monthly'].flatMap(period => {
      const limit = unitsOf(valueAt(subscription, `${period}_limit_usd`))
      if (limit === undefined || limit <= 0n) return []
      const left = difference(limit, unitsOf(valueAt(subscription, `${period}_usage_usd`)))
      return left === undefined ? [] : [left > 0n ? left : 0n]
    }),
  )

const least = (values: readonly unknown[]): bigint | undefined =>
  lowest(values.flatMap(each => positive(each) ?? []))

const lowest = (amounts: readonly bigint[]): bigint | undefined =>
  amounts.reduce<bigint | undefined>(
    (low, each) => (low === undefined || each < low ? each : low),
    undefined,
  )

const positive = (value: unknown): bigint | undefined => {
  const units = unitsOf(value)
  return units !== undefined && units >= 0n ? units : undefined
}

const isDollars = (value: unknown): boolean => (valueAt(value, 'unit') ?? 'USD') === 'USD'

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null
