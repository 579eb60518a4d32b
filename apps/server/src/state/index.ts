import type { Logger } from 'pino'
import { type AwakeClock, startAwakeClock } from '../lib/awake.ts'
import { memoryState } from './memory.ts'
import { connectRedis, redisState } from './redis.ts'
import type { State } from './state.ts'

export type { Lease, Return, Seed, State, Verdict, Want } from './state.ts'

type Options = {
  /** Absent: this process alone. */
  redisUrl: string | undefined
  log: Logger
}

export const openState = async ({ redisUrl, log }: Options): Promise<State> => {
  if (!redisUrl) return memoryState()
  const redis = connectRedis(redisUrl, log)
  await redis
    .connect()
    .catch(error =>
      log.warn({ err: error }, 'Redis is away: limits are counted locally until it is back'),
    )
  return withFallback(redisState(redis), memoryState(), log)
}

/** How long an answer may take, of the time in which this process could have heard it. */
const answerMs = 1_000
/** A server that said nothing is asked again after this, by one request: the others need not wait for it as well. */
const silentMs = 1_000

/** Redis where it answers, this process where it does not: a limit is never a reason to refuse everybody. */
export const withFallback = (shared: State, local: State, log: Logger): State => {
  const clock = startAwakeClock()
  let isAway = false
  let askAgainAt = 0
  const isSilent = () => clock.now() < askAgainAt

  const either = async <T>(ask: (state: State) => T | Promise<T>): Promise<T> => {
    if (isSilent()) return ask(local)
    if (askAgainAt > 0) askAgainAt = clock.now() + silentMs
    try {
      const answer = await inTime(clock, ask(shared))
      if (isAway) log.info('Redis is back')
      isAway = false
      askAgainAt = 0
      return answer
    } catch (error) {
      if (!isAway) log.warn({ err: error }, 'Redis is away: counting locally until it is back')
      isAway = true
      // One that refuses does so at once.
      askAgainAt = error instanceof Silence ? clock.now() + silentMs : 0
      return ask(local)
    }
  }

  /** Only taking the lock may fall back: work that failed under it must not run a second time. */
  const lock: State['lock'] = async (name, ttlSeconds, work) => {
    let begun = false
    const once = () => {
      begun = true
      return work()
    }
    if (isSilent()) return local.lock(name, ttlSeconds, work)
    try {
      return await shared.lock(name, ttlSeconds, once)
    } catch (error) {
      if (begun) throw error
      log.warn({ err: error, name }, 'Redis is away: a lock is taken locally')
      return local.lock(name, ttlSeconds, work)
    }
  }

  return {
    count: (...asked) => either(state => state.count(...asked)),
    bucket: (...asked) => either(state => state.bucket(...asked)),
    take: (...asked) => either(state => state.take(...asked)),
    give: returns => either(state => state.give(returns)),
    renew: leases => either(state => state.renew(leases)),
    remember: (...asked) => either(state => state.remember(...asked)),
    recall: key => either(state => state.recall(key)),
    forget: key => either(state => state.forget(key)),
    lock,
    close: async () => {
      clock.stop()
      await shared.close()
      await local.close()
    },
  }
}

class Silence extends Error {
  override message = `no answer within ${answerMs} ms`
}

/** A process that was paused, or too busy to read, has the answer before it: its own silence is not the server's. */
const inTime = <T>(clock: AwakeClock, answer: T | Promise<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    const end = clock.now() + answerMs
    const look = () => {
      const left = end - clock.now()
      if (left <= 0) reject(new Silence())
      else timer = setTimeout(look, left)
    }
    let timer = setTimeout(look, answerMs)
    Promise.resolve(answer)
      .then(resolve, reject)
      .finally(() => clearTimeout(timer))
  })
