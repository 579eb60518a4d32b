import { Fault, type FaultCode, type LimitFields, type RefusalFigures } from '@hub/contract'
import type { App } from '../../core/app.ts'
import type { LimitStatus } from '../../state/index.ts'
import { isMoney, type LimitEntry } from './entries.ts'

const codes: Record<keyof LimitFields, FaultCode> = {
  requests_per_day: 'rate.requests_day',
  tokens_per_minute: 'rate.tokens',
  concurrent_requests: 'rate.concurrent',
  quota_per_day: 'quota.day',
  quota_per_month: 'quota.month',
}

export type RefusedLimit = { entry: LimitEntry; status: LimitStatus }

/** The fault of the refusal that lasts longest, since a retry before its end would be refused again. */
export const refusalOf = (app: App, refused: readonly RefusedLimit[]): Fault => {
  const longest = refused.reduce((a, b) => (waitOf(app, b) > waitOf(app, a) ? b : a))
  const { field, scope, end } = longest.entry
  const owner = ownerNames[scope.ownerKind]
  const { limit } = longest.status
  if (!isMoney(longest.entry))
    return limitFault(codes[field], {
      ...{ owner: scope.ownerKind, limit, retryAfterSeconds: waitOf(app, longest) },
    })
  // Used-up quota is no overload, so there is no Retry-After.
  const resetsAt = new Date((end ?? 0) * 1000).toISOString()
  const data: RefusalFigures = {
    ...{ limit_of: scope.ownerKind, limit, retry_after: secondsUntil(app, end ?? 0) },
  }
  const hint = `It is a limit of ${owner} and resets at ${resetsAt}.`
  return new Fault(codes[field], { hint, data })
}

type LimitOwner = LimitEntry['scope']['ownerKind']

const ownerNames: Record<LimitOwner, string> = { token: 'this API key', group: 'your group' }

export type PassedLimit = { owner: LimitOwner; limit: number; retryAfterSeconds: number }

/** The fault of a limit that time lifts. It says whose limit it is, and when a retry may pass. */
export const limitFault = (
  code: FaultCode,
  { owner, limit, retryAfterSeconds }: PassedLimit,
): Fault => {
  const seconds = Math.ceil(retryAfterSeconds)
  const data: RefusalFigures = { limit_of: owner, limit, retry_after: seconds }
  const hint = `The limit of ${ownerNames[owner]} is ${limit}; try again in ${seconds} s.`
  return new Fault(code, { hint, data, retryAfterSeconds })
}

const waitOf = (app: App, { entry, status }: RefusedLimit): number => {
  if (isMoney(entry)) return Number.POSITIVE_INFINITY
  return entry.end === undefined ? status.retryAfterSeconds : secondsUntil(app, entry.end)
}

const secondsUntil = (app: App, end: number) => Math.max(1, Math.ceil(end - app.now() / 1000))

/** A limit that the caller sees in the answer's headers. */
export type VisibleLimit = LimitStatus & { unit: 'requests' | 'tokens' }

export type ReportLimits = (limits: readonly VisibleLimit[]) => void

/** The limits for which most dialects have headers. */
const visibleUnits: Partial<Record<keyof LimitFields, VisibleLimit['unit']>> = {
  requests_per_day: 'requests',
  tokens_per_minute: 'tokens',
}

export const visibleLimits = (
  app: App,
  entries: readonly LimitEntry[],
  statuses: readonly LimitStatus[],
): VisibleLimit[] =>
  entries.flatMap(({ field, end }, index) => {
    const unit = visibleUnits[field]
    if (!unit) return []
    const status = statuses[index]!
    const resetSeconds = end === undefined ? status.resetSeconds : secondsUntil(app, end)
    return [{ unit, ...status, resetSeconds }]
  })
