import type { App } from '../../core/app.ts'
import { appScoped } from '../../core/app-scoped.ts'
import type { Candidates } from '../routing/pick.ts'

const windowSeconds = 10
/** Retries within the window that need no calls. */
const freeRetries = 10
/** Further retries within the window, per call. */
const retriesPerCall = 0.2

/** The calls of one second and their retries, without those that were answered. */
type Bucket = { second: number; calls: number; retries: number }

/**
 * Bounds the retries of an outage, so that a provider that recovers meets little more than its usual load. Only retries
 * in vain or under way count: those that find another channel are given back.
 */
export class RetryBudget {
  readonly #buckets: Bucket[] = Array.from({ length: windowSeconds }, () => emptyBucket(-1))

  /** `now` is in monotonic milliseconds. */
  addCall(now: number): void {
    this.#bucketAt(secondOf(now)).calls++
  }

  /** Returns what `giveBack` wants, or undefined if this share of the budget is used up. */
  take(now: number, share = 1): number | undefined {
    const second = secondOf(now)
    let calls = 0
    let retries = 0
    for (const bucket of this.#buckets) {
      if (bucket.second <= second - windowSeconds) continue
      calls += bucket.calls
      retries += bucket.retries
    }
    if (retries >= Math.max(freeRetries, calls * retriesPerCall) * share) return undefined
    this.#bucketAt(second).retries++
    return second
  }

  giveBack(taken: number): void {
    const bucket = this.#buckets[taken % windowSeconds]!
    if (bucket.second === taken) bucket.retries--
  }

  #bucketAt(second: number): Bucket {
    const index = second % windowSeconds
    const bucket = this.#buckets[index]!
    if (bucket.second === second) return bucket
    const fresh = emptyBucket(second)
    this.#buckets[index] = fresh
    return fresh
  }
}

const emptyBucket = (second: number): Bucket => ({ second, calls: 0, retries: 0 })
const secondOf = (now: number): number => Math.floor(now / 1_000)

const budgets = appScoped(() => new WeakMap<Candidates, RetryBudget>())

/** Each model of a group has a budget of its own, so that an outage takes no retries from the calls of other models. */
export const retryBudget = (app: App, candidates: Candidates): RetryBudget => {
  const all = budgets(app)
  const known = all.get(candidates)
  if (known) return known
  const budget = new RetryBudget()
  all.set(candidates, budget)
  return budget
}
