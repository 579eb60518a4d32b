import type { Logger } from 'pino'
import {
  makeSuspendTolerantClock,
  type SuspendTolerantClock,
} from '../lib/time/suspend-tolerant-clock.ts'
import { memoryState } from './memory.ts'
import type { LimitRelease, LimitRequest, State, TakeResult } from './state.ts'

export type {
  Lease,
  LimitRelease,
  LimitRequest,
  LimitStatus,
  Seed,
  State,
} from './state.ts'
export { stateCloseMaxMs } from './state.ts'

type StateOptions = {
  /** Absent: the state lives in this process only. */
  redisUrl: string | undefined
  log: Logger
}

export const openState = async ({ redisUrl, log }: StateOptions): Promise<State> => {
  if (!redisUrl) return memoryState()
  const { connectRedis, redisState } = await import('./redis.ts')
  const redis = connectRedis(redisUrl, log)
  await redis
    .connect()
    .catch(error =>
      log.warn({ err: error }, 'Redis is unavailable: limits are counted locally until it is back'),
    )
  return withFallback(redisState(redis), memoryState(), log)
}

/** Response timeout, measured in time during which this process was able to run. */
const responseTimeoutMs = 1_000
/** After a timeout one request probes the server at this interval, while all others use local state at once. */
const probeIntervalMs = 1_000

/** Uses Redis while it answers and local state otherwise: an outage of Redis must not refuse every request. */
export const withFallback = (shared: State, local: State, log: Logger): State => {
  const limit = makeTimeLimit()
  let isUnavailable = false
  let probeAt = 0
  const isTimedOut = () => performance.now() < probeAt

  /** `undo` takes back what the server did after nobody waited for it any more. */
  const withLocalFallback = async <T>(
    run: (state: State) => T | Promise<T>,
    undo?: (late: T) => void,
  ): Promise<T> => {
    if (isTimedOut()) return run(local)
    if (probeAt > 0) probeAt = performance.now() + probeIntervalMs
    const running = run(shared)
    try {
      const answer = await limit.answerInTime(running)
      if (isUnavailable) log.info('Redis is back')
      isUnavailable = false
      probeAt = 0
      return answer
    } catch (error) {
      if (!isUnavailable)
        log.warn({ err: error }, 'Redis is unavailable: counting locally until it is back')
      isUnavailable = true
      // A refused connection fails at once and needs no probe interval.
      probeAt = error instanceof ResponseTimeout ? performance.now() + probeIntervalMs : 0
      if (error instanceof ResponseTimeout && undo) Promise.resolve(running).then(undo, () => {})
      return run(local)
    }
  }

  const releaseShared = (releases: readonly LimitRelease[]) => {
    shared.release(releases).catch(() => {})
  }

  /** Falls back only if acquiring the lock failed: work that failed under the lock must not run again. */
  const lock: State['lock'] = async (name, ttlSeconds, work) => {
    let hasStarted = false
    const markStarted = () => {
      hasStarted = true
      return work()
    }
    if (isTimedOut()) return local.lock(name, ttlSeconds, work)
    try {
      return await shared.lock(name, ttlSeconds, markStarted)
    } catch (error) {
      if (hasStarted) throw error
      log.warn({ err: error, name }, 'Redis is unavailable: a lock is taken locally')
      return local.lock(name, ttlSeconds, work)
    }
  }

  return {
    count: (...args) => withLocalFallback(state => state.count(...args)),
    bucket: (...args) => withLocalFallback(state => state.bucket(...args)),
    take: (id, requests) =>
      withLocalFallback(
        state => state.take(id, requests),
        late => releaseShared(releasesOf(id, requests, late)),
      ),
    release: releases => {
      // A call may have taken from the server before it became slow, and would count there until its lease ends.
      if (isTimedOut()) releaseShared(releases)
      return withLocalFallback(state => state.release(releases))
    },
    renew: leases => withLocalFallback(state => state.renew(leases)),
    remember: (...args) => withLocalFallback(state => state.remember(...args)),
    recall: key => withLocalFallback(state => state.recall(key)),
    forget: key => withLocalFallback(state => state.forget(key)),
    share: (...args) => withLocalFallback(state => state.share(...args)),
    onShared: (...args) => shared.onShared(...args),
    lock,
    isAnswering: () => limit.answerInTime(shared.isAnswering()).catch(() => false),
    close: async () => {
      limit.stop()
      await shared.close()
      await local.close()
    },
  }
}

/** The releases that give back all that a call took. */
const releasesOf = (
  id: string,
  requests: readonly LimitRequest[],
  result: TakeResult,
): LimitRelease[] => {
  if (!result.ok) return []
  return requests.map(({ kind, key, amount }, index) =>
    kind === 'lease'
      ? { kind, key, id }
      : { kind, key, window: result.windows[index]!, change: -amount },
  )
}

class ResponseTimeout extends Error {
  override message = `no answer within ${responseTimeoutMs} ms`
}

/** The clock runs only while the server is waited for, so that it wakes no server at rest. */
const makeTimeLimit = () => {
  const clock = makeSuspendTolerantClock()
  let waiting = 0
  return {
    answerInTime: async <T>(answer: T | Promise<T>): Promise<T> => {
      waiting++
      clock.start()
      try {
        return await withTimeout(clock, answer)
      } finally {
        if (--waiting === 0) clock.stop()
      }
    },
    stop: clock.stop,
  }
}

/** Rejects after `responseTimeoutMs` of running time: a suspended process has not yet read a response that arrived. */
const withTimeout = <T>(clock: SuspendTolerantClock, answer: T | Promise<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    const end = clock.now() + responseTimeoutMs
    const check = () => {
      const left = end - clock.now()
      if (left <= 0) reject(new ResponseTimeout())
      else timer = setTimeout(check, left)
    }
    let timer = setTimeout(check, responseTimeoutMs)
    Promise.resolve(answer)
      .then(resolve, reject)
      .finally(() => clearTimeout(timer))
  })
