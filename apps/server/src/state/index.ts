import type { Logger } from 'pino'
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

/** Redis where it answers, this process where it does not: a limit is never a reason to refuse everybody. */
export const withFallback = (shared: State, local: State, log: Logger): State => {
  let isAway = false

  const either = async <T>(ask: (state: State) => T | Promise<T>): Promise<T> => {
    try {
      const answer = await ask(shared)
      if (isAway) log.info('Redis is back')
      isAway = false
      return answer
    } catch (error) {
      if (!isAway) log.warn({ err: error }, 'Redis is away: counting locally until it is back')
      isAway = true
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
      await shared.close()
      await local.close()
    },
  }
}
