import { Fault } from '@hub/contract'
import { inputTokens, outputTokens, type Usage } from '@hub/dialects'
import type { HoldObserver, Reservation } from '../../billing/open-hold.ts'
import { makeQuote } from '../../billing/quote.ts'
import type { App } from '../../core/app.ts'
import type { Call } from '../../core/call.ts'
import type { Lease, LimitRelease, LimitRequest, Seed } from '../../state/index.ts'
import {
  admissionEntries,
  isMoney,
  type LimitEntry,
  type LimitScope,
  minuteEntry,
  moneyEntries,
  moneyKey,
} from './entries.ts'
import { renewedLeases } from './leases.ts'
import { type ReportLimits, refusalOf, visibleLimits } from './refusal.ts'
import { spentIn, windowOf } from './spending.ts'

/** The limits of one call, from its admission to its end. `report` receives the limits that the caller may see. */
export type LimitSession = {
  /** Takes a concurrency slot and one of the day's requests. */
  begin(report: ReportLimits): Promise<void>
  /** Reserves the tokens and points that the call may use. */
  reserve(call: Call, reservation: Reservation, report: ReportLimits): Promise<void>
  /** Counts the actual usage of the hold. */
  observer: HoldObserver
  /** Releases what was not used. After a settled hold it does nothing. */
  end(): Promise<void>
}

type TakenEntry = LimitEntry & { window: number }

export const openLimitSession = (
  app: App,
  id: string,
  scopes: readonly LimitScope[],
): LimitSession => {
  const taken: TakenEntry[] = []
  const moneyLeases: Lease[] = []
  let isOver = false

  const take = async (entries: readonly LimitEntry[], report: ReportLimits): Promise<void> => {
    if (entries.length === 0) return report([])
    const windows = await takeAll(app, id, entries, report)
    for (const [index, entry] of entries.entries()) {
      taken.push({ ...entry, window: windows[index]! })
      if (entry.request.kind !== 'lease') continue
      const lease = leaseOf(id, entry.request)
      renewedLeases(app).add(lease)
      if (isMoney(entry)) moneyLeases.push(lease)
    }
  }

  /** `reserved`: the usage is not known yet, so the slot is freed and the reservation keeps counting. */
  const finish = async (usage: Usage | 'reserved' | undefined) => {
    if (isOver) return
    isOver = true
    renewedLeases(app).remove(id)
    const isKnown = usage !== 'reserved'
    const unused = taken
      .filter(({ request }) => isKnown || request.kind === 'lease')
      .map(each => releaseOf(id, each, isKnown ? usage : undefined))
    const spent = usage && isKnown ? await currentSpending(app, taken) : []
    // A lease that cannot be released ends by itself.
    await app.state
      .release([...unused, ...spent])
      .catch(error => app.log.warn({ err: error, request: id }, 'limits were not released'))
  }

  return {
    begin: report =>
      take(
        scopes.flatMap(scope => admissionEntries(app, scope)),
        report,
      ),
    reserve: (call, reservation, report) => {
      const tokens = scopes.flatMap(scope => minuteEntry(scope, reservation))
      const hasMoney = scopes.some(
        ({ limits }) => limits.quota_per_day !== null || limits.quota_per_month !== null,
      )
      if (!hasMoney) return take(tokens, report)
      const { amount } = makeQuote(app, call, reservation)
      return take([...tokens, ...scopes.flatMap(scope => moneyEntries(app, scope, amount))], report)
    },
    observer: makeObserver(moneyLeases, finish),
    end: () => finish(undefined),
  }
}

/** These limits do not cut a running stream; an extended hold counts from the next renewal on. */
const makeObserver = (
  moneyLeases: readonly Lease[],
  finish: (usage: Usage | 'reserved') => Promise<void>,
): HoldObserver => ({
  progressed: points => {
    for (const lease of moneyLeases) lease.amount = Math.max(lease.amount, points)
  },
  settled: ({ usage }) => finish(usage),
  detached: () => finish('reserved'),
})

const leaseOf = (id: string, { key, amount, windowSeconds }: LimitRequest): Lease => ({
  key,
  id,
  amount,
  windowSeconds,
})

/** The shared state may lose its keys between reading the seeds and taking. */
const triesMax = 3

const takeAll = async (
  app: App,
  id: string,
  entries: readonly LimitEntry[],
  report: ReportLimits,
): Promise<number[]> => {
  const requests = entries.map(each => each.request)
  for (let tries = 0; tries < triesMax; tries++) {
    const result = await app.state.take(id, requests)
    if (result.ok || result.refused.length > 0) report(visibleLimits(app, entries, result.statuses))
    if (result.ok) return result.windows
    if (result.refused.length > 0)
      throw refusalOf(
        app,
        result.refused.map(at => ({ entry: entries[at]!, status: result.statuses[at]! })),
      )
    for (const at of result.unseeded)
      requests[at] = { ...requests[at]!, seed: await seedOf(entries[at]!) }
  }
  throw new Fault('server.busy', { retryAfterSeconds: 1 })
}

const seedOf = async ({ seed }: LimitEntry): Promise<Seed> => {
  try {
    return (await seed?.()) ?? { used: 0, running: 0 }
  } catch (cause) {
    throw new Fault('server.ledger', { cause, retryAfterSeconds: 1 })
  }
}

const releaseOf = (
  id: string,
  { field, request, window }: TakenEntry,
  usage: Usage | undefined,
): LimitRelease => {
  const { key, amount } = request
  if (request.kind === 'lease') return { kind: 'lease', key, id }
  // A call that was never charged does not count as one of the day's.
  const used = field === 'tokens_per_minute' ? tokensOf(usage, amount) : usage ? amount : 0
  return { kind: 'sum', key, window, change: used - amount }
}

/** Tokens used; the reserved amount where the upstream's figures are no valid counts. */
const tokensOf = (usage: Usage | undefined, reserved: number): number => {
  const used = usage ? inputTokens(usage) + outputTokens(usage) : 0
  return Number.isSafeInteger(used) && used >= 0 ? used : reserved
}

/** The ledger's current spending in the current windows: a call that began before midnight is charged after it. */
const currentSpending = async (app: App, taken: readonly LimitEntry[]): Promise<LimitRelease[]> => {
  const money = taken.filter(isMoney)
  try {
    return await Promise.all(
      money.map(async ({ field, scope: { owner } }): Promise<LimitRelease> => {
        const kind = field === 'quota_per_day' ? 'day' : 'month'
        const { begin } = windowOf(app, kind)
        const { used } = await spentIn(app, owner, kind, begin)
        return { kind: 'used', key: moneyKey(owner, kind, begin), used }
      }),
    )
  } catch (error) {
    // The charge is in the journal and will reach the ledger; the next seed reads it there.
    app.log.warn({ err: error }, 'current spending could not be read')
    return []
  }
}
