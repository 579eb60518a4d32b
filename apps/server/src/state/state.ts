/** The state of a limit, as reported to one more request. */
export type LimitStatus = {
  ok: boolean
  limit: number
  /** Number of further requests that would pass now. */
  remaining: number
  /** Seconds until the limit is unused again. */
  resetSeconds: number
  /** Seconds after which one more would pass; 0 when it passed. */
  retryAfterSeconds: number
}

/** The amount that one call requests from one limit. Amounts are integers. */
export type LimitRequest = {
  /**
   * `sum` adds up within a window that opens with the first request. `lease` counts running calls on top of the known
   * usage; it ends when released, or `leaseSeconds` after its last renewal.
   */
  kind: 'sum' | 'lease'
  key: string
  limit: number
  amount: number
  /** Lifetime of the window, or of the known usage. */
  windowSeconds: number
  /**
   * Usage according to durable records. `unknown`: not read yet, so that a missing key (a new window, a flushed server)
   * does not count as zero. Absent: there are no durable records.
   */
  seed?: Seed | 'unknown'
}
export type Seed = { used: number; running: number }

export type TakeResult =
  | { ok: true; statuses: LimitStatus[]; windows: number[] }
  /** Nothing was taken. `refused`: indexes of exceeded limits; empty when seeds must be read first. */
  | { ok: false; statuses: LimitStatus[]; refused: number[]; unseeded: number[] }

/** Corrects a limit after the call: a lease ended, durable usage rose, or the actual amount of a sum is known. */
export type LimitRelease =
  | { kind: 'lease'; key: string; id: string }
  | { kind: 'used'; key: string; used: number }
  | { kind: 'sum'; key: string; window: number; change: number }

export type Lease = { key: string; id: string; amount: number; windowSeconds: number }

/** Lifetime of a lease without renewal: its node has died. */
export const leaseSeconds = 30

/**
 * Short-lived state, shared by all nodes when Redis is configured. It can be lost at any moment, so that it never
 * decides about money.
 */
export type State = {
  /** Allows `limit` requests in a window that opens with the first one. Synchronous without Redis. */
  count(key: string, windowSeconds: number, limit: number): LimitStatus | Promise<LimitStatus>
  /** Token bucket with a capacity of ten seconds and an even refill rate. */
  bucket(key: string, perMinute: number): LimitStatus | Promise<LimitStatus>
  /** Takes from all of these limits for the call `id`, or from none. */
  take(id: string, requests: readonly LimitRequest[]): Promise<TakeResult>
  release(releases: readonly LimitRelease[]): Promise<void>
  /** Extends running leases by `leaseSeconds`, and restores those that were lost. */
  renew(leases: readonly Lease[]): Promise<void>
  remember(key: string, value: string, ttlSeconds: number): Promise<void>
  recall(key: string): Promise<string | undefined>
  forget(key: string): Promise<void>
  /** Runs the work unless another node holds the lock; resolves to whether it ran here. */
  lock(name: string, ttlSeconds: number, work: () => Promise<void>): Promise<boolean>
  close(): Promise<void>
}

/** Burst size of a full bucket. */
export const capacityOf = (perMinute: number): number => Math.max(1, perMinute / 6)

/** Both implementations use these functions, so that they round the same way. */
export const bucketStatus = (tokens: number, perMinute: number, ok: boolean): LimitStatus => ({
  ok,
  limit: perMinute,
  remaining: Math.max(0, Math.floor(tokens)),
  resetSeconds: Math.ceil(((capacityOf(perMinute) - tokens) * 60) / perMinute),
  retryAfterSeconds: ok ? 0 : Math.max(1, Math.ceil(((1 - tokens) * 60) / perMinute)),
})

export const countStatus = (n: number, limit: number, leftMilliseconds: number): LimitStatus => {
  const seconds = Math.max(1, Math.ceil(leftMilliseconds / 1000))
  const ok = n <= limit
  const remaining = Math.max(0, limit - n)
  return { ok, limit, remaining, resetSeconds: seconds, retryAfterSeconds: ok ? 0 : seconds }
}

export const limitStatus = (
  request: LimitRequest,
  used: number,
  leftMilliseconds: number,
): LimitStatus => {
  const ok = used + request.amount <= request.limit
  const seconds = request.kind === 'lease' ? 1 : Math.max(1, Math.ceil(leftMilliseconds / 1000))
  const remaining = Math.max(0, request.limit - used - (ok ? request.amount : 0))
  const retryAfterSeconds = ok ? 0 : seconds
  return { ok, limit: request.limit, remaining, resetSeconds: seconds, retryAfterSeconds }
}

/** Current usage per requested limit, in the same order. `used` is undefined when a seed must be read first. */
export type LimitUsage = { used: number | undefined; leftMilliseconds: number; window: number }

export const takeResult = (
  requests: readonly LimitRequest[],
  usages: readonly LimitUsage[],
): TakeResult => {
  const verdicts = requests.map((request, at) =>
    limitStatus(request, usages[at]!.used ?? 0, usages[at]!.leftMilliseconds),
  )
  const unseeded = [...usages.keys()].filter(at => usages[at]!.used === undefined)
  const refused = [...verdicts.keys()].filter(at => !verdicts[at]!.ok && !unseeded.includes(at))
  if (unseeded.length > 0 || refused.length > 0)
    return { ok: false, statuses: verdicts, refused, unseeded }
  return { ok: true, statuses: verdicts, windows: usages.map(each => each.window) }
}
