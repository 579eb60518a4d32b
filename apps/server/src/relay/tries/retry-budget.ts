import type { App } from '../../core/app.ts'
import { appScoped } from '../../core/app-scoped.ts'
import type { Candidates } from '../routing/pick.ts'

const windowSeconds = 10
/** Retries within the window that need no calls. */
const freeRetries = 10
/** Further retries within the window, per call. */
const retriesPerCall = 0.2
/** Attempts at another group or model have half of that; a call that may still make one has the other half for retries. */
const movesPerCall = retriesPerCall / 2

/** A hedge takes nothing of the last quarter, so that slow channels leave retries to failed calls. */
const hedgeShare = 0.75

/** The calls of one second and their retries, without those that were answered. */
type Bucket = { second: number; calls: number; retries: number }

type RetriedCall = { readonly firstByteAt: number | undefined }

export type TakenRetry = { second: number; call: RetriedCall }

/**
 * Bounds the retries of an outage, so that a provider that recovers meets little more than its usual load. Only retries
 * in vain, or without an answer so far, count: those that find another channel are given back.
 */
export class RetryBudget {
  readonly #buckets: Bucket[] = Array.from({ length: windowSeconds }, () => emptyBucket(-1))
  readonly #running = new Set<TakenRetry>()
  readonly #perCall: number

  constructor(perCall = retriesPerCall) {
    this.#perCall = perCall
  }

  /** `now` is in monotonic milliseconds. */
  addCall(now: number): void {
    this.#bucketAt(secondOf(now)).calls++
  }

  /** Undefined if this share of the budget is used up. Otherwise `end` is called with it once the attempt is over. */
  takeRetry(now: number, call: RetriedCall, share = 1): TakenRetry | undefined {
    this.#endAnswered(now)
    if (!this.#take(now, share)) return undefined
    const taken = { second: secondOf(now), call }
    this.#running.add(taken)
    return taken
  }

  /** Says whether `takeRetry` would be allowed now. */
  canTakeRetry(now: number, share = 1): boolean {
    this.#endAnswered(now)
    return this.#isLeft(secondOf(now), share)
  }

  /** Never given back: also a hedge that answers is a second request to the vendors. */
  takeHedge(now: number): boolean {
    this.#endAnswered(now)
    return this.#take(now, hedgeShare)
  }

  end(taken: TakenRetry, isAnswered: boolean): void {
    if (!this.#running.delete(taken) || !isAnswered) return
    const bucket = this.#buckets[taken.second % windowSeconds]!
    if (bucket.second === taken.second) bucket.retries--
  }

  /** A stream may run for minutes after its first byte, which gives its retry back. */
  #endAnswered(now: number): void {
    for (const each of this.#running) {
      const isAnswered = each.call.firstByteAt !== undefined
      if (isAnswered || each.second <= secondOf(now) - windowSeconds) this.end(each, isAnswered)
    }
  }

  #take(now: number, share: number): boolean {
    const second = secondOf(now)
    if (!this.#isLeft(second, share)) return false
    this.#bucketAt(second).retries++
    return true
  }

  #isLeft(second: number, share: number): boolean {
    let calls = 0
    let retries = 0
    for (const bucket of this.#buckets) {
      if (bucket.second <= second - windowSeconds) continue
      calls += bucket.calls
      retries += bucket.retries
    }
    return retries < Math.max(freeRetries, calls * this.#perCall) * share
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

/** Moves are attempts at channels of another group or model than the call's first. */
export type RetryBudgets = { retries: RetryBudget; moves: RetryBudget }

const budgets = appScoped(() => new WeakMap<Candidates, RetryBudgets>())

/**
 * Each model of a group has budgets of its own, so that an outage takes no retries from the calls of other models. A call
 * that moves to another group or model keeps the budgets of its first attempt.
 */
export const retryBudgets = (app: App, candidates: Candidates): RetryBudgets => {
  const all = budgets(app)
  const known = all.get(candidates)
  if (known) return known
  const made = { retries: new RetryBudget(), moves: new RetryBudget(movesPerCall) }
  all.set(candidates, made)
  return made
}
