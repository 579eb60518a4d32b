import type { LimitFields } from '@hub/contract'
import type { Reservation } from '../../billing/open-hold.ts'
import type { App } from '../../core/app.ts'
import type { Caller } from '../../core/call.ts'
import type { LimitOwner } from '../../db/queries/limits.ts'
import type { LimitRequest, Seed } from '../../state/index.ts'
import { callsSince, nameOf, spentIn, windowOf } from './spending.ts'

/** The owner of limits: a token's hold for it alone, a group's for each of its users. */
export type LimitScope = {
  ownerKind: 'token' | 'group'
  name: string
  owner: LimitOwner
  limits: LimitFields
}

export const scopesOf = (
  { tokenId, userId, group }: Caller,
  tokenLimits: LimitFields | undefined,
  groupLimits: LimitFields | undefined,
): LimitScope[] => {
  const scopes: LimitScope[] = []
  if (tokenLimits)
    scopes.push({
      ownerKind: 'token',
      name: `token:${tokenId}`,
      owner: { tokenId },
      limits: tokenLimits,
    })
  if (groupLimits)
    scopes.push({
      ownerKind: 'group',
      name: `${group}:${userId}`,
      owner: { userId },
      limits: groupLimits,
    })
  return scopes
}

/** One limit that applies to a call, and what the call takes from it. */
export type LimitEntry = {
  field: keyof LimitFields
  scope: LimitScope
  request: LimitRequest
  /** Seconds since 1970 at which the limit's calendar window ends; undefined for a sliding one. */
  end: number | undefined
  /** Reads the usage so far where the shared state has lost it. */
  seed: (() => Promise<Seed>) | undefined
}

/** Output tokens that are reserved of a minute's limit where the caller set no maximum. */
const outputDefault = 4096
/** Longer than any day, so that a clock that jumps back finds the day's count again. */
const dayKeepSeconds = 2 * 24 * 3600
const monthKeepSeconds = 33 * 24 * 3600

export const isMoney = ({ field }: LimitEntry): boolean =>
  field === 'quota_per_day' || field === 'quota_per_month'

/** The entries that are taken before the body is read: requests per day and concurrency slots. */
export const admissionEntries = (app: App, scope: LimitScope): LimitEntry[] => [
  ...dayEntry(app, scope),
  ...concurrencyEntry(scope),
]

const dayEntry = (app: App, scope: LimitScope): LimitEntry[] => {
  const limit = scope.limits.requests_per_day
  if (limit === null) return []
  const { begin, end } = windowOf(app, 'day')
  return [
    {
      field: 'requests_per_day',
      scope,
      request: {
        kind: 'sum',
        key: `calls:${scope.name}:${begin}`,
        limit,
        amount: 1,
        windowSeconds: dayKeepSeconds,
        seed: 'unknown',
      },
      end,
      seed: () => callsSince(app, scope.owner, begin),
    },
  ]
}

const concurrencyEntry = (scope: LimitScope): LimitEntry[] => {
  const limit = scope.limits.concurrent_requests
  if (limit === null) return []
  const key = `running:${scope.name}`
  const request = { kind: 'lease', key, limit, amount: 1, windowSeconds: 60 } as const
  return [{ field: 'concurrent_requests', scope, request, end: undefined, seed: undefined }]
}

/** Tokens per minute. A call that may need more than a whole minute passes while nothing else was used. */
export const minuteEntry = (
  scope: LimitScope,
  { promptTokens, outputMax, n }: Reservation,
): LimitEntry[] => {
  const limit = scope.limits.tokens_per_minute
  if (limit === null) return []
  const amount = Math.min(limit, promptTokens + (outputMax ?? outputDefault) * n)
  const key = `tokens:${scope.name}`
  const request = { kind: 'sum', key, limit, amount, windowSeconds: 60 } as const
  return [{ field: 'tokens_per_minute', scope, request, end: undefined, seed: undefined }]
}

/** Quota per day and month; `amount` in points. */
export const moneyEntries = (app: App, scope: LimitScope, amount: number): LimitEntry[] =>
  (['day', 'month'] as const).flatMap(kind => {
    const field = `quota_per_${kind}` as const
    const limit = scope.limits[field]
    if (limit === null) return []
    const { begin, end } = windowOf(app, kind)
    const key = moneyKey(scope.owner, kind, begin)
    const windowSeconds = kind === 'day' ? dayKeepSeconds : monthKeepSeconds
    return [
      {
        field,
        scope,
        request: { kind: 'lease', key, limit, amount, windowSeconds, seed: 'unknown' },
        end,
        seed: () => spentIn(app, scope.owner, kind, begin),
      },
    ]
  })

export const moneyKey = (owner: LimitOwner, kind: 'day' | 'month', begin: number) =>
  `money:${nameOf(owner)}:${kind}:${begin}`
