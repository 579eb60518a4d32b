import { Fault } from '@hub/contract'
import type { Dialect } from '@hub/dialects'
import type { Held, Reservation } from '../billing/held.ts'
import type { App } from '../core/app.ts'
import type { Call, Caller } from '../core/call.ts'
import { withKnown } from '../lib/known.ts'
import type { Verdict } from '../state/state.ts'
import { groupBook } from './callers/group-book.ts'
import { tellLimits } from './callers/limit-headers.ts'
import { type Limited, openSession, scopesOf } from './callers/limits.ts'
import { type KnownToken, rateKeyOf } from './callers/token-book.ts'
import type { Exchange } from './exchange.ts'
import { liveCalls } from './live.ts'

const runningMax = 20_000
const ledgerLagMaxMs = 1_000
/** Below it a minute is counted; from it on a bucket lets bursts through and refills evenly. */
const bucketFrom = 60

/** Around the hold of a call: what it may use and cost is reserved, and what it really did counts. */
export type Pass = (
  call: Call,
  reservation: Reservation,
  work: (watch: (held: Held) => Held) => Promise<void>,
) => Promise<void>

/** Without limits nothing is looked at. */
const freePass: Pass = (_call, _reservation, work) => work(held => held)

/**
 * What can be refused before the body is read: a server that must not start anything, the rates of the token and its
 * group, their requests a day and places. A place is given back when the work ends.
 */
export const admitting = (
  app: App,
  exchange: Exchange,
  dialect: Dialect,
  token: KnownToken,
  work: (pass: Pass) => Promise<void>,
): Promise<void> => {
  if (app.stopping()) throw new Fault('server.stopping', { retryAfterSeconds: 1 })
  if (app.ledger.lag() > ledgerLagMaxMs || liveCalls(app).size() > runningMax)
    throw new Fault('server.busy', { retryAfterSeconds: 1 })
  return withKnown(groupBook(app).get(), groups => {
    const group = groups.get(token.caller.group)
    if (group === undefined) throw new Fault('token.group')
    return admitTo(app, exchange, { dialect, token, group }, work)
  })
}

type Limits = { perMinute: number; limits: KnownToken['limits'] }
type Asking = { dialect: Dialect; token: KnownToken; group: Limits }

const admitTo = (
  app: App,
  exchange: Exchange,
  { dialect, token, group }: Asking,
  work: (pass: Pass) => Promise<void>,
): Promise<void> => {
  const tell = (limited: readonly Limited[]) => tellLimits(app, exchange, dialect, limited)
  return withKnown(limitRates(app, token, group.perMinute, tell), rates => {
    if (token.limits !== undefined || group.limits !== undefined) {
      const scopes = scopesOf(token.caller, token.limits, group.limits)
      const session = openSession(app, exchange.requestId, scopes)
      return inSession(session, { rates, tell }, work)
    }
    tell(rates)
    return work(freePass)
  })
}

const inSession = async (
  session: ReturnType<typeof openSession>,
  { rates, tell }: { rates: readonly Limited[]; tell: Tell },
  work: (pass: Pass) => Promise<void>,
): Promise<void> => {
  try {
    await session.begin(limited => tell([...rates, ...limited]))
    await work(async (call, reservation, spend) => {
      await session.reserve(call, reservation, tell)
      await spend(session.watch)
    })
  } finally {
    await session.end()
  }
}

/** What can be refused once the model is known. */
export const admitModel = (token: KnownToken, model: string): void => {
  if (token.models === undefined || token.models.has(model)) return
  throw new Fault('token.model', { hint: `Model: ${model.slice(0, 200)}.` })
}

/** The token's own rate first: what it refuses does not count against the group's. */
const limitRates = (
  app: App,
  { perMinute, caller, rateKey }: KnownToken,
  ofGroup: number,
  tell: Tell,
): Limited[] | Promise<Limited[]> => {
  if (perMinute !== undefined) return limitBoth(app, caller, [perMinute, ofGroup], tell)
  const verdict = rateOf(app, rateKey, ofGroup)
  return verdict instanceof Promise
    ? verdict.then(each => [passed(each, tell)])
    : [passed(verdict, tell)]
}

const limitBoth = async (
  app: App,
  { tokenId, userId, group }: Caller,
  [ofToken, ofGroup]: readonly [number, number],
  tell: Tell,
): Promise<Limited[]> => {
  const own = passed(await rateOf(app, `token:${tokenId}`, ofToken), tell)
  return [own, passed(await rateOf(app, rateKeyOf(userId, group), ofGroup), tell)]
}

type Tell = (limited: readonly Limited[]) => void

const rateOf = (app: App, key: string, perMinute: number): Verdict | Promise<Verdict> =>
  perMinute < bucketFrom ? app.state.count(key, 60, perMinute) : app.state.bucket(key, perMinute)

const passed = (verdict: Verdict, tell: Tell): Limited => {
  const limited = { ...verdict, of: 'requests' as const }
  if (verdict.ok) return limited
  tell([limited])
  throw new Fault('rate.requests', { retryAfterSeconds: verdict.retryAfterSeconds })
}
