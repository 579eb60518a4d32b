/** What a limit says to one more request. */
export type Verdict = {
  ok: boolean
  limit: number
  /** How many more would pass now. */
  remaining: number
  /** Seconds until the limit is whole again. */
  resetSeconds: number
  /** Seconds after which one more would pass; 0 when it passed. */
  retryAfterSeconds: number
}

/** What one call wants of one limit. Amounts are whole numbers. */
export type Want = {
  /**
   * `sum` adds up what passed in a window that opens with the first; `lease` is what runs now, on top of what is known
   * to be spent: given back at the end, or by itself `leaseSeconds` after it was last renewed.
   */
  kind: 'sum' | 'lease'
  key: string
  limit: number
  amount: number
  /** How long the window stays open, or what is known to be spent is kept. */
  windowSeconds: number
  /**
   * What durable records say was used before, and what runs now. `unknown`: not read yet, so that a key that does not
   * exist (a new window, a flushed server) must not be taken for zero. Absent: nothing is known elsewhere.
   */
  seed?: Seed | 'unknown'
}
export type Seed = { used: number; running: number }

export type Taken =
  | { ok: true; verdicts: Verdict[]; windows: number[] }
  /** Nothing was taken. `refused`: the places in the list that would be passed; empty where seeds must be read first. */
  | { ok: false; verdicts: Verdict[]; refused: number[]; unseeded: number[] }

/** The end of what was taken: a lease is over, more is known to be spent, or a sum was in truth another one. */
export type Return =
  | { kind: 'lease'; key: string; id: string }
  | { kind: 'used'; key: string; used: number }
  | { kind: 'sum'; key: string; window: number; change: number }

export type Lease = { key: string; id: string; amount: number; windowSeconds: number }

/** A lease that nobody renews for so long is over: its node is dead. */
export const leaseSeconds = 30

/**
 * Short-lived state, shared by all nodes where Redis is configured. Nothing here may decide about money: it can be
 * lost at any moment.
 */
export type State = {
  /** At most `limit` in a window that opens with its first request. At once where nobody else must be asked. */
  count(key: string, windowSeconds: number, limit: number): Verdict | Promise<Verdict>
  /** A bucket that holds ten seconds' worth and refills evenly: a burst passes, a flood does not. */
  bucket(key: string, perMinute: number): Verdict | Promise<Verdict>
  /** All of these limits at once for the call `id`, or none of them. */
  take(id: string, wants: readonly Want[]): Promise<Taken>
  give(returns: readonly Return[]): Promise<void>
  /** Says that these still run: they count for another `leaseSeconds`, also where they were lost. */
  renew(leases: readonly Lease[]): Promise<void>
  remember(key: string, value: string, ttlSeconds: number): Promise<void>
  recall(key: string): Promise<string | undefined>
  forget(key: string): Promise<void>
  /** Does the work unless another node is doing it; says whether it was done here. Given back when the work ends. */
  lock(name: string, ttlSeconds: number, work: () => Promise<void>): Promise<boolean>
  close(): Promise<void>
}

/** How many a full bucket lets pass at once. */
export const capacityOf = (perMinute: number): number => Math.max(1, perMinute / 6)

/** One token more or less at the edge must not depend on the engine: both compute with these. */
export const bucketVerdict = (tokens: number, perMinute: number, ok: boolean): Verdict => ({
  ok,
  limit: perMinute,
  remaining: Math.max(0, Math.floor(tokens)),
  resetSeconds: Math.ceil(((capacityOf(perMinute) - tokens) * 60) / perMinute),
  retryAfterSeconds: ok ? 0 : Math.max(1, Math.ceil(((1 - tokens) * 60) / perMinute)),
})

export const countVerdict = (n: number, limit: number, leftMilliseconds: number): Verdict => {
  const seconds = Math.max(1, Math.ceil(leftMilliseconds / 1000))
  const ok = n <= limit
  const remaining = Math.max(0, limit - n)
  return { ok, limit, remaining, resetSeconds: seconds, retryAfterSeconds: ok ? 0 : seconds }
}

/** Both kinds compute a want's verdict with this. */
export const wantVerdict = (want: Want, used: number, leftMilliseconds: number): Verdict => {
  const ok = used + want.amount <= want.limit
  const seconds = want.kind === 'lease' ? 1 : Math.max(1, Math.ceil(leftMilliseconds / 1000))
  const remaining = Math.max(0, want.limit - used - (ok ? want.amount : 0))
  const retryAfterSeconds = ok ? 0 : seconds
  return { ok, limit: want.limit, remaining, resetSeconds: seconds, retryAfterSeconds }
}

/** What both kinds found, in the order of the wants: `used` undefined where a seed must be read first. */
export type Found = { used: number | undefined; leftMilliseconds: number; window: number }

export const takenOf = (wants: readonly Want[], found: readonly Found[]): Taken => {
  const verdicts = wants.map((want, at) =>
    wantVerdict(want, found[at]!.used ?? 0, found[at]!.leftMilliseconds),
  )
  const unseeded = [...found.keys()].filter(at => found[at]!.used === undefined)
  const refused = [...verdicts.keys()].filter(at => !verdicts[at]!.ok && !unseeded.includes(at))
  if (unseeded.length > 0 || refused.length > 0) return { ok: false, verdicts, refused, unseeded }
  return { ok: true, verdicts, windows: found.map(each => each.window) }
}
