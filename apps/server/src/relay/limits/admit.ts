import { Fault } from '@hub/contract'
import { reserve } from '../../billing/calls/reserve.ts'
import type { OpenHold, Reservation } from '../../billing/open-hold.ts'
import type { App } from '../../core/app.ts'
import { appScoped } from '../../core/app-scoped.ts'
import type { Call, Caller } from '../../core/call.ts'
import type { LimitStatus } from '../../state/index.ts'
import { type CachedToken, groupCache, rateKeyOf, requireGroup } from '../auth/token-cache.ts'
import type { AuthenticatedContext, RequestContext } from '../context.ts'
import { scopesOf } from './entries.ts'
import { liveCalls } from './live-calls.ts'
import { limitFault, type ReportLimits, type VisibleLimit } from './refusal.ts'
import { type LimitSession, openLimitSession } from './session.ts'

const runningMax = 20_000
const ledgerLagMaxMs = 1_000
/** Below this rate a minute is counted; from it on a token bucket allows bursts and refills evenly. */
const bucketMinPerMinute = 60

/** A call that may run within its limits. Its slot is freed, and what it did not use released, at its disposal. */
export type Admission = AsyncDisposable & {
  /** Reserves what the call may use of its limits and of its payer's quota. */
  reserve(call: Call, reservation: Reservation): Promise<OpenHold>
  /** As `reserve`, with a hold that `open` opens. */
  open(call: Call, reservation: Reservation, open: () => Promise<OpenHold>): Promise<OpenHold>
}

/**
 * Refuses what can be refused before the body is read: a server that is stopping or overloaded, the rate limits of token
 * and group, their requests per day, and their concurrency slots.
 */
export const admit = (app: App, context: AuthenticatedContext): Admission | Promise<Admission> => {
  if (!app.accepting()) throw new Fault('server.stopping', { retryAfterSeconds: 1 })
  if (app.ledger.lag() > ledgerLagMaxMs || liveCalls(app).size() > runningMax)
    throw new Fault('server.busy', { retryAfterSeconds: 1 })
  const groups = groupCache(app).get()
  return groups instanceof Promise
    ? groups.then(loaded => admitInGroup(app, context, requireGroup(loaded, context.caller)))
    : admitInGroup(app, context, requireGroup(groups, context.caller))
}

type GroupLimits = { perMinute: number; limits: CachedToken['limits'] }

const admitInGroup = (
  app: App,
  context: AuthenticatedContext,
  group: GroupLimits,
): Admission | Promise<Admission> => {
  const { token, caller, requestId } = context
  const report: ReportLimits = limits => addLimitHeaders(app, context, limits)
  const begin = (rates: readonly VisibleLimit[]): Admission | Promise<Admission> => {
    if (token.limits === undefined && group.limits === undefined) {
      report(rates)
      return withoutLimits(app)
    }
    const session = openLimitSession(app, requestId, scopesOf(caller, token.limits, group.limits))
    return beginSession(app, session, rates, report)
  }
  const rates = checkRates(app, token, group.perMinute, report)
  return rates instanceof Promise ? rates.then(begin) : begin(rates)
}

const withoutLimits = appScoped(
  (app): Admission => ({
    reserve: (call, reservation) => reserve(app, call, reservation),
    open: (_call, _reservation, open) => open(),
    [Symbol.asyncDispose]: async () => {},
  }),
)

const beginSession = async (
  app: App,
  session: LimitSession,
  rates: readonly VisibleLimit[],
  report: ReportLimits,
): Promise<Admission> => {
  try {
    await session.begin(limits => report([...rates, ...limits]))
  } catch (error) {
    await session.end()
    throw error
  }
  const open: Admission['open'] = async (call, reservation, openHold) => {
    await session.reserve(call, reservation, report)
    const hold = await openHold()
    hold.observe(session.observer)
    return hold
  }
  return {
    reserve: (call, reservation) => open(call, reservation, () => reserve(app, call, reservation)),
    open,
    [Symbol.asyncDispose]: () => session.end(),
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
    ? status.then(each => [requirePassed(each, report, 'group')])
    : [requirePassed(status, report, 'group')]
}

const checkBothRates = async (
  app: App,
  { tokenId, userId, group }: Caller,
  { perMinute, groupPerMinute }: { perMinute: number; groupPerMinute: number },
  report: ReportLimits,
): Promise<VisibleLimit[]> => {
  const own = requirePassed(await takeRequest(app, `token:${tokenId}`, perMinute), report, 'token')
  const shared = await takeRequest(app, rateKeyOf(userId, group), groupPerMinute)
  return [own, requirePassed(shared, report, 'group')]
}

const takeRequest = (
  app: App,
  key: string,
  perMinute: number,
): LimitStatus | Promise<LimitStatus> =>
  perMinute < bucketMinPerMinute
    ? app.state.count(key, 60, perMinute)
    : app.state.bucket(key, perMinute)

const requirePassed = (
  status: LimitStatus,
  report: ReportLimits,
  owner: 'token' | 'group',
): VisibleLimit => {
  const limit = { ...status, unit: 'requests' as const }
  if (status.ok) return limit
  report([limit])
  const { limit: perMinute, retryAfterSeconds } = status
  throw limitFault('rate.requests', { owner, limit: perMinute, retryAfterSeconds })
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
