/** Result of checking one limit. */
export type LimitStatus = {
  ok: boolean
  limit: number
  /** Amount that is left, in the unit of the limit. */
  remaining: number
  /** Seconds until the window ends or the bucket is full; 1 for leases, whose end is unknown. */
  resetSeconds: number
  /** Seconds to wait before a retry; 0 when it passed, 1 for leases. */
  retryAfterSeconds: number
}

/** The amount that one call requests from one limit. Amounts are integers. */
export type LimitRequest = {
  /**
   * `sum` adds to a window that opens with the first request. `lease` reserves the amount while the call runs, in
   * addition to the durable usage; it ends when released, or `leaseSeconds` after its last renewal.
   */
  kind: 'sum' | 'lease'
  key: string
  limit: number
  amount: number
  /** Lifetime of the window of a `sum`, or of the durable usage cached for a `lease`. */
  windowSeconds: number
  /**
   * Usage according to durable records. `unknown`: not read yet, so that a missing key (a new window, a flushed server)
   * does not count as zero. Absent: there are no durable records.
   */
  seed?: Seed | 'unknown'
}
/** Settled usage, and the amount that running calls have reserved. */
export type Seed = { used: number; running: number }

export type TakeResult =
  /** `windows`: the window id of each limit, which the release of a `sum` must name. */
  | { ok: true; statuses: LimitStatus[]; windows: number[] }
  /**
   * Nothing was taken. `refused`: indexes of exceeded limits whose usage is known. `unseeded`: indexes of limits whose
   * seed must be read before a retry.
   */
  | { ok: false; statuses: LimitStatus[]; refused: number[]; unseeded: number[] }

/**
 * Corrects a limit after a call. `lease` ends a lease, and `used` raises the durable usage, never lowers it. `sum` adds
 * the signed `change` if `window` is still the current one.
 */
export type LimitRelease =
  | { kind: 'lease'; key: string; id: string }
  | { kind: 'used'; key: string; used: number }
  | { kind: 'sum'; key: string; window: number; change: number }

export type Lease = { key: string; id: string; amount: number; windowSeconds: number }

export type SharedMessage = { id: string; message: string; lifetimeMs: number }
/** `lifetimeMs`: the rest of it. */
export type SharedListener = (message: string, lifetimeMs: number) => void

/** The most that a stop waits for Redis, and for the last poll of changes: locks and leases end by themselves. */
export const stateCloseMaxMs = 500

/** A lease that is not renewed ends after this; its node is presumed dead. */
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
  /** Tells the other nodes. A later message of the same id replaces it; without Redis nobody hears it. */
  share(topic: string, shared: SharedMessage): Promise<void>
  /** Listens to the messages of a topic that have not expired and to those to come, this node's own included. */
  onShared(topic: string, listener: SharedListener): void
  /** Runs the work unless a lock of this name is held, also by this node; resolves to whether it ran here. */
  lock(name: string, ttlSeconds: number, work: () => Promise<void>): Promise<boolean>
  /** False while Redis does not answer. */
  isAnswering(): Promise<boolean>
  close(): Promise<void>
}

/** Burst size of a full bucket: the tokens of ten seconds. */
export const bucketCapacity = (perMinute: number): number => Math.max(1, perMinute / 6)

// Memory and Redis both use the following functions, so that they round the same way.

/** Status after the take; `tokens` are left in the bucket. `perMinute` is above 0. */
export const bucketStatus = (tokens: number, perMinute: number, ok: boolean): LimitStatus => ({
  ok,
  limit: perMinute,
  remaining: Math.max(0, Math.floor(tokens)),
  resetSeconds: Math.ceil(((bucketCapacity(perMinute) - tokens) * 60) / perMinute),
  retryAfterSeconds: ok ? 0 : Math.max(1, Math.ceil(((1 - tokens) * 60) / perMinute)),
})

export const countStatus = (n: number, limit: number, leftMilliseconds: number): LimitStatus => {
  const seconds = Math.max(1, Math.ceil(leftMilliseconds / 1000))
  const ok = n <= limit
  const remaining = Math.max(0, limit - n)
  return { ok, limit, remaining, resetSeconds: seconds, retryAfterSeconds: ok ? 0 : seconds }
}

/** `used` excludes the request itself. */
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

/** Current usage of one limit and the id of its window. `used` is undefined when a seed must be read first. */
export type LimitUsage = { used: number | undefined; leftMilliseconds: number; window: number }

export const decideTake = (
  requests: readonly LimitRequest[],
  usages: readonly LimitUsage[],
): TakeResult => {
  const statuses = requests.map((request, index) =>
    limitStatus(request, usages[index]!.used ?? 0, usages[index]!.leftMilliseconds),
  )
  const unseeded = [...usages.keys()].filter(index => usages[index]!.used === undefined)
  const refused = [...statuses.keys()].filter(
    index => !statuses[index]!.ok && !unseeded.includes(index),
  )
  if (unseeded.length > 0 || refused.length > 0)
    return { ok: false, statuses: statuses, refused, unseeded }
  return { ok: true, statuses: statuses, windows: usages.map(each => each.window) }
}
