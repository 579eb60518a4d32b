import { Fault, type FaultCode, type LimitFields, limitNames, pickLimits } from '@hub/contract'
import type { Usage } from '@hub/dialects'
import type { Held, Reservation } from '../../billing/held.ts'
import { makeQuote } from '../../billing/quote.ts'
import { inputTokens, outputTokens } from '../../billing/usage.ts'
import type { App } from '../../core/app.ts'
import type { Call, Caller } from '../../core/call.ts'
import type { Owner } from '../../db/queries/limits.ts'
import type { Lease, Return, Seed, Verdict, Want } from '../../state/index.ts'
import { renewedLeases } from './leases.ts'
import { callsSince, nameOf, spentIn, windowOf } from './spending.ts'

/** Undefined where nothing is limited: that is all the path looks at then. */
export const limitsOf = (fields: LimitFields): LimitFields | undefined =>
  limitNames.some(each => fields[each] !== null) ? pickLimits(fields) : undefined

/** Whose limits they are: a token's hold for it alone, a group's for each of its users. */
export type Scope = { whose: 'token' | 'group'; name: string; owner: Owner; limits: LimitFields }

export const scopesOf = (
  { tokenId, userId, group }: Caller,
  ofToken: LimitFields | undefined,
  ofGroup: LimitFields | undefined,
): Scope[] => [
  ...(ofToken
    ? [{ whose: 'token', name: `token:${tokenId}`, owner: { tokenId }, limits: ofToken } as const]
    : []),
  ...(ofGroup
    ? [{ whose: 'group', name: `${group}:${userId}`, owner: { userId }, limits: ofGroup } as const]
    : []),
]

type Entry = {
  field: keyof LimitFields
  scope: Scope
  want: Want
  /** Seconds since 1970 at which the calendar opens the limit again. */
  end: number | undefined
  seed: (() => Promise<Seed>) | undefined
}

/** What a caller is told of a limit. */
export type Limited = Verdict & { of: 'requests' | 'tokens' }
type Tell = (limited: readonly Limited[]) => void

/** The limits of one call, from its admission to its end. */
export type Session = {
  /** Takes a place and one of the day's requests. */
  begin(tell: Tell): Promise<void>
  /** Reserves what the call may use and cost. */
  reserve(call: Call, reservation: Reservation, tell: Tell): Promise<void>
  /** The same hold; when it is settled, what was really used counts. */
  watch(held: Held): Held
  /** Gives back what was not used. Safe to call twice: what was settled stays so. */
  end(): Promise<void>
}

/** What is reserved of a minute's tokens where the caller gave no limit of its own. */
const outputDefault = 4096

export const openSession = (app: App, id: string, scopes: readonly Scope[]): Session => {
  const taken: (Entry & { window: number })[] = []
  const money: Lease[] = []
  let isOver = false

  const take = async (entries: readonly Entry[], tell: Tell): Promise<void> => {
    if (entries.length === 0) return tell([])
    const windows = await takeAll(app, id, entries, tell)
    for (const [at, entry] of entries.entries()) {
      taken.push({ ...entry, window: windows[at]! })
      if (entry.want.kind !== 'lease') continue
      const lease = leaseOf(id, entry.want)
      renewedLeases(app).add(lease)
      if (isMoney(entry)) money.push(lease)
    }
  }

  /** `reserved`: what it will use nobody knows yet, so its place is given back and what was reserved counts. */
  const finish = async (usage: Usage | 'reserved' | undefined) => {
    if (isOver) return
    isOver = true
    renewedLeases(app).drop(id)
    const isKnown = usage !== 'reserved'
    const back = taken
      .filter(({ want }) => isKnown || want.kind === 'lease')
      .map(each => returnOf(id, each, isKnown ? usage : undefined))
    const spent = usage && isKnown ? await spentNow(app, taken) : []
    // A lease that could not be given back ends by itself.
    await app.state
      .give([...back, ...spent])
      .catch(error => app.log.warn({ err: error, request: id }, 'limits were not given back'))
  }

  return {
    begin: tell =>
      take(
        scopes.flatMap(scope => [...dayEntry(app, scope), ...placeEntry(scope)]),
        tell,
      ),
    reserve: (call, reservation, tell) => {
      const tokens = scopes.flatMap(scope => minuteEntry(scope, reservation))
      const hasMoney = scopes.some(
        ({ limits }) => limits.quota_per_day !== null || limits.quota_per_month !== null,
      )
      if (!hasMoney) return take(tokens, tell)
      const amount = makeQuote(app, call, reservation).amount
      return take([...tokens, ...scopes.flatMap(scope => moneyEntries(app, scope, amount))], tell)
    },
    watch: held => ({
      id: held.id,
      amount: () => held.amount(),
      release: () => held.release(),
      leave: async (model, write) => {
        await held.leave(model, write)
        await finish('reserved')
      },
      progress: (model, delivered) => {
        const verdict = held.progress(model, delivered)
        // A stream that runs is not cut by these limits; what it reserved beyond counts from the next renewal on.
        for (const lease of money) lease.amount = Math.max(lease.amount, held.amount())
        return verdict
      },
      settle: async ending => {
        const settled = await held.settle(ending)
        await finish(ending.usage)
        return settled
      },
    }),
    end: () => finish(undefined),
  }
}

const leaseOf = (id: string, { key, amount, windowSeconds }: Want): Lease => ({
  key,
  id,
  amount,
  windowSeconds,
})

const dayEntry = (app: App, scope: Scope): Entry[] => {
  const limit = scope.limits.requests_per_day
  if (limit === null) return []
  const { begin, end } = windowOf(app, 'day')
  const key = `calls:${scope.name}:${begin}`
  return [
    {
      field: 'requests_per_day',
      scope,
      want: { kind: 'sum', key, limit, amount: 1, windowSeconds: keptSeconds, seed: 'unknown' },
      end,
      seed: () => callsSince(app, scope.owner, begin),
    },
  ]
}

/** Longer than any day, so that a clock that jumps back finds the day's count again. */
const keptSeconds = 2 * 24 * 3600

const placeEntry = (scope: Scope): Entry[] => {
  const limit = scope.limits.concurrent_requests
  if (limit === null) return []
  const want: Want = {
    kind: 'lease',
    key: `running:${scope.name}`,
    limit,
    amount: 1,
    windowSeconds: 60,
  }
  return [{ field: 'concurrent_requests', scope, want, end: undefined, seed: undefined }]
}

/** A call that may need more than the whole minute is let in when nothing else was used in it. */
const minuteEntry = (scope: Scope, { promptTokens, outputMax, n }: Reservation): Entry[] => {
  const limit = scope.limits.tokens_per_minute
  if (limit === null) return []
  const amount = Math.min(limit, promptTokens + (outputMax ?? outputDefault) * n)
  const want: Want = {
    kind: 'sum',
    key: `tokens:${scope.name}`,
    limit,
    amount,
    windowSeconds: 60,
  }
  return [{ field: 'tokens_per_minute', scope, want, end: undefined, seed: undefined }]
}

const moneyEntries = (app: App, scope: Scope, amount: number): Entry[] =>
  (['day', 'month'] as const).flatMap(kind => {
    const field = `quota_per_${kind}` as const
    const limit = scope.limits[field]
    if (limit === null) return []
    const { begin, end } = windowOf(app, kind)
    const key = moneyKey(scope.owner, kind, begin)
    const windowSeconds = kind === 'day' ? keptSeconds : 33 * 24 * 3600
    return [
      {
        field,
        scope,
        want: { kind: 'lease', key, limit, amount, windowSeconds, seed: 'unknown' },
        end,
        seed: () => spentIn(app, scope.owner, kind, begin),
      },
    ]
  })

const moneyKey = (owner: Owner, kind: 'day' | 'month', begin: number) =>
  `money:${nameOf(owner)}:${kind}:${begin}`

/** A server may lose its keys between a look and the next: then it is asked once more. */
const triesMax = 3

const takeAll = async (
  app: App,
  id: string,
  entries: readonly Entry[],
  tell: Tell,
): Promise<number[]> => {
  const wants = entries.map(each => each.want)
  for (let tries = 0; tries < triesMax; tries++) {
    const taken = await app.state.take(id, wants)
    if (taken.ok || taken.refused.length > 0) tell(limitedOf(app, entries, taken.verdicts))
    if (taken.ok) return taken.windows
    const refused = taken.refused.map(at => ({ entry: entries[at]!, verdict: taken.verdicts[at]! }))
    if (refused.length > 0) throw refusalOf(app, refused)
    for (const at of taken.unseeded) wants[at] = { ...wants[at]!, seed: await seedOf(entries[at]!) }
  }
  throw new Fault('server.busy', { retryAfterSeconds: 1 })
}

const seedOf = async ({ seed }: Entry): Promise<Seed> => {
  try {
    return (await seed?.()) ?? { used: 0, running: 0 }
  } catch (cause) {
    throw new Fault('server.ledger', { cause, retryAfterSeconds: 1 })
  }
}

const codes: Record<keyof LimitFields, FaultCode> = {
  requests_per_day: 'rate.requests-day',
  tokens_per_minute: 'rate.tokens',
  concurrent_requests: 'rate.concurrent',
  quota_per_day: 'quota.day',
  quota_per_month: 'quota.month',
}

type Refused = { entry: Entry; verdict: Verdict }

/** The one that lasts longest: whoever waits for a shorter one would be refused again. */
const refusalOf = (app: App, refused: readonly Refused[]): Fault => {
  const longest = refused.reduce((a, b) => (waitOf(app, b) > waitOf(app, a) ? b : a))
  const { field, scope, end } = longest.entry
  const whose = scope.whose === 'token' ? 'this API key' : 'your group'
  if (!isMoney(longest.entry)) {
    const hint = `The limit of ${whose} is ${longest.verdict.limit}.`
    return new Fault(codes[field], { hint, retryAfterSeconds: waitOf(app, longest) })
  }
  // Money that is used up is no overload: nobody is told to come again in a while.
  const again = new Date((end ?? 0) * 1000).toISOString()
  return new Fault(codes[field], { hint: `It is one of ${whose} and begins anew at ${again}.` })
}

const isMoney = ({ field }: Entry) => field === 'quota_per_day' || field === 'quota_per_month'

const waitOf = (app: App, { entry, verdict }: Refused): number => {
  if (isMoney(entry)) return Number.POSITIVE_INFINITY
  return entry.end === undefined ? verdict.retryAfterSeconds : secondsUntil(app, entry.end)
}

const secondsUntil = (app: App, end: number) => Math.max(1, Math.ceil(end - app.now() / 1000))

const limitedOf = (app: App, entries: readonly Entry[], verdicts: readonly Verdict[]): Limited[] =>
  entries.flatMap(({ field, end }, at) => {
    const of = told[field]
    if (!of) return []
    const verdict = verdicts[at]!
    const resetSeconds = end === undefined ? verdict.resetSeconds : secondsUntil(app, end)
    return [{ of, ...verdict, resetSeconds }]
  })

/** What most dialects have headers for. */
const told: Partial<Record<keyof LimitFields, Limited['of']>> = {
  requests_per_day: 'requests',
  tokens_per_minute: 'tokens',
}

const returnOf = (
  id: string,
  { field, want, window }: Entry & { window: number },
  usage: Usage | undefined,
): Return => {
  const { key, amount } = want
  if (want.kind === 'lease') return { kind: 'lease', key, id }
  // A call that was never charged is none of the day's.
  const used = field === 'tokens_per_minute' ? tokensOf(usage, amount) : usage ? amount : 0
  return { kind: 'sum', key, window, change: used - amount }
}

/** Figures that are no counts come from the upstream: then what was reserved was used. */
const tokensOf = (usage: Usage | undefined, reserved: number): number => {
  const used = usage ? inputTokens(usage) + outputTokens(usage) : 0
  return Number.isSafeInteger(used) && used >= 0 ? used : reserved
}

/** What the ledger says now, in the windows of now: a call that began before midnight is charged after it. */
const spentNow = async (app: App, taken: readonly Entry[]): Promise<Return[]> => {
  const money = taken.filter(isMoney)
  try {
    return await Promise.all(
      money.map(async ({ field, scope: { owner } }): Promise<Return> => {
        const kind = field === 'quota_per_day' ? 'day' : 'month'
        const { begin } = windowOf(app, kind)
        const { used } = await spentIn(app, owner, kind, begin)
        return { kind: 'used', key: moneyKey(owner, kind, begin), used }
      }),
    )
  } catch (error) {
    // The charge is in the journal: until it is in the ledger, what was reserved would have to stay.
    app.log.warn({ err: error }, 'what was spent could not be read')
    return []
  }
}
