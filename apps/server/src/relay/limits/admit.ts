import { Fault } from '@hub/contract'
import type { OpenHold, Reservation } from '../../billing/open-hold.ts'
import type { App } from '../../core/app.ts'
import type { Call, Caller } from '../../core/call.ts'
import type { LimitStatus } from '../../state/index.ts'
import { type CachedToken, groupCache, rateKeyOf, requireGroup } from '../auth/token-cache.ts'
import type { AuthenticatedContext, RequestContext } from '../context.ts'
import { scopesOf } from './entries.ts'
import { liveCalls } from './live-calls.ts'
import type { ReportLimits, VisibleLimit } from './refusal.ts'
import { type LimitSession, openLimitSession } from './session.ts'

const runningMax = 20_000
const ledgerLagMaxMs = 1_000
/** Below this rate a minute is counted; from it on a token bucket allows bursts and refills evenly. */
const bucketMinPerMinute = 60

/** Runs a call within its limits: reserves what it may use, and counts what it used when its hold is settled. */
export type LimitedCall = (
  call: Call,
  reservation: Reservation,
  work: (trackUsage: (hold: OpenHold) => OpenHold) => Promise<void>,
) => Promise<void>

const withoutLimits: LimitedCall = (_call, _reservation, work) => work(hold => hold)

/**
 * Refuses what can be refused before the body is read: a server that is stopping or overloaded, the rate limits of token
 * and group, their requests per day, and their concurrency slots. A slot is freed when `work` ends.
 */
export const withAdmission = (
  app: App,
  context: AuthenticatedContext,
  work: (limited: LimitedCall) => Promise<void>,
): Promise<void> => {
  if (!app.accepting()) throw new Fault('server.stopping', { retryAfterSeconds: 1 })
  if (app.ledger.lag() > ledgerLagMaxMs || liveCalls(app).size() > runningMax)
    throw new Fault('server.busy', { retryAfterSeconds: 1 })
  return thenSync(groupCache(app).get(), groups => {
    const group = requireGroup(groups, context.caller)
    return withGroupLimits(app, context, group, work)
  })
}

type GroupLimits = { perMinute: number; limits: CachedToken['limits'] }

const withGroupLimits = (
  app: App,
  context: AuthenticatedContext,
  group: GroupLimits,
  work: (limited: LimitedCall) => Promise<void>,
): Promise<void> => {
  const { token, caller, requestId } = context
  const report: ReportLimits = limits => addLimitHeaders(app, context, limits)
  return thenSync(checkRates(app, token, group.perMinute, report), rates => {
    if (token.limits !== undefined || group.limits !== undefined) {
      const session = openLimitSession(app, requestId, scopesOf(caller, token.limits, group.limits))
      return withSession(session, { rates, report }, work)
    }
    report(rates)
    return work(withoutLimits)
  })
}

const withSession = async (
  session: LimitSession,
  { rates, report }: { rates: readonly VisibleLimit[]; report: ReportLimits },
  work: (limited: LimitedCall) => Promise<void>,
): Promise<void> => {
  try {
    await session.begin(limits => report([...rates, ...limits]))
    await work(async (call, reservation, run) => {
      await session.reserve(call, reservation, report)
      await run(session.trackUsage)
    })
  } finally {
    await session.end()
  }
}

/** Refuses a model that the token is not allowed to use. */
export const checkModelAllowed = (token: CachedToken, model: string): void => {
  if (token.models === undefined || token.models.has(model)) return
  throw new Fault('token.model', { hint: `Model: ${model.slice(0, 200)}.` })
}

/** Checks the token's own rate first, so that its refusals do not count against the group's. */
const checkRates = (
  app: App,
  { perMinute, caller, rateKey }: CachedToken,
  groupPerMinute: number,
  report: ReportLimits,
): VisibleLimit[] | Promise<VisibleLimit[]> => {
  if (perMinute !== undefined)
    return checkBothRates(app, caller, { perMinute, groupPerMinute }, report)
  const status = takeRequest(app, rateKey, groupPerMinute)
  return status instanceof Promise
    ? status.then(each => [requirePassed(each, report)])
    : [requirePassed(status, report)]
}

const checkBothRates = async (
  app: App,
  { tokenId, userId, group }: Caller,
  { perMinute, groupPerMinute }: { perMinute: number; groupPerMinute: number },
  report: ReportLimits,
): Promise<VisibleLimit[]> => {
  const own = requirePassed(await takeRequest(app, `token:${tokenId}`, perMinute), report)
  const shared = await takeRequest(app, rateKeyOf(userId, group), groupPerMinute)
  return [own, requirePassed(shared, report)]
}

const takeRequest = (
  app: App,
  key: string,
  perMinute: number,
): LimitStatus | Promise<LimitStatus> =>
  perMinute < bucketMinPerMinute
    ? app.state.count(key, 60, perMinute)
    : app.state.bucket(key, perMinute)

const requirePassed = (status: LimitStatus, report: ReportLimits): VisibleLimit => {
  const limit = { ...status, unit: 'requests' as const }
  if (status.ok) return limit
  report([limit])
  throw new Fault('rate.requests', { retryAfterSeconds: status.retryAfterSeconds })
}

/** Adds the tightest limit of each unit to the answer's headers, under the names of the caller's dialect. */
const addLimitHeaders = (
  app: App,
  { dialect, response: { headers } }: RequestContext,
  limits: readonly VisibleLimit[],
): void => {
  if (!dialect.limitHeaders) return
  for (const unit of ['requests', 'tokens'] as const) {
    let tightest: VisibleLimit | undefined
    for (const each of limits)
      if (each.unit === unit && (!tightest || each.remaining < tightest.remaining)) tightest = each
    if (tightest) headers.push(...dialect.limitHeaders(tightest, app.now()))
  }
}

/** Continues synchronously when the value is available, which is the usual case, and otherwise when the promise resolves. */
const thenSync = <T, R>(value: T | Promise<T>, next: (value: T) => Promise<R>): Promise<R> =>
  value instanceof Promise ? value.then(next) : next(value)
