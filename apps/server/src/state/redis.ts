import { randomUUID } from 'node:crypto'
import { Redis } from 'ioredis'
import type { Logger } from 'pino'
import { endsWithin } from '../lib/time/ends-within.ts'
import { redisLimits } from './redis-limits.ts'
import { redisShared } from './redis-shared.ts'
import { bucketCapacity, bucketStatus, countStatus, type State, stateCloseMaxMs } from './state.ts'

// One script per operation. They use the time of the Redis server, so that nodes with different clocks share one limit.

const countScript = `
local n = redis.call('INCR', KEYS[1])
if n == 1 then redis.call('PEXPIRE', KEYS[1], ARGV[1]) end
local limit = tonumber(ARGV[2])
if n > limit + 1 then
  redis.call('DECR', KEYS[1])
  n = limit + 1
end
return { n, redis.call('PTTL', KEYS[1]) }`

const bucketScript = `
local per = tonumber(ARGV[1])
local capacity = tonumber(ARGV[2])
local time = redis.call('TIME')
local now = time[1] * 1000 + time[2] / 1000
local kept = redis.call('HMGET', KEYS[1], 't', 'at')
local tokens = tonumber(kept[1]) or capacity
local at = tonumber(kept[2]) or now
if now > at then tokens = math.min(capacity, tokens + (now - at) * per / 60000) end
local ok = 0
if tokens >= 1 then
  ok = 1
  tokens = tokens - 1
end
redis.call('HSET', KEYS[1], 't', string.format('%.6f', tokens), 'at', string.format('%.3f', now))
redis.call('PEXPIRE', KEYS[1], 61000)
return { ok, string.format('%.6f', tokens) }`

const unlockScript = `
if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end
return 0`

type Scripts = {
  hubCount(key: string, milliseconds: number, limit: number): Promise<[number, number]>
  hubBucket(key: string, perMinute: number, capacity: number): Promise<[number, string]>
  hubUnlock(key: string, owner: string): Promise<number>
}

export const connectRedis = (redisUrl: string, log: Logger): Redis & Scripts => {
  const redis = new Redis(redisUrl, {
    // Applies to locks only; `withFallback` waits one second for limits.
    commandTimeout: 30_000,
    connectTimeout: 1000,
    maxRetriesPerRequest: 0,
    enableOfflineQueue: false,
    retryStrategy: times => Math.min(times * 100, 2000),
    lazyConnect: true,
  })
  redis.on('error', error => log.debug({ err: error }, 'Redis'))
  redis.defineCommand('hubCount', { numberOfKeys: 1, lua: countScript })
  redis.defineCommand('hubBucket', { numberOfKeys: 1, lua: bucketScript })
  redis.defineCommand('hubUnlock', { numberOfKeys: 1, lua: unlockScript })
  return redis as Redis & Scripts
}

/** Every method rejects while Redis is unavailable. */
export const redisState = (redis: Redis & Scripts): State => {
  const { share, onShared, closeShared } = redisShared(redis)
  return {
    share,
    onShared,
    count: async (key, windowSeconds, limit) => {
      const [n, left] = await redis.hubCount(`hub:count:${key}`, windowSeconds * 1000, limit)
      return countStatus(n, limit, left)
    },
    bucket: async (key, perMinute) => {
      const [ok, tokens] = await redis.hubBucket(
        `hub:bucket:${key}`,
        perMinute,
        bucketCapacity(perMinute),
      )
      return bucketStatus(Number(tokens), perMinute, ok === 1)
    },
    ...redisLimits(redis),
    remember: async (key, value, ttlSeconds) => {
      await redis.set(`hub:value:${key}`, value, 'PX', Math.ceil(ttlSeconds * 1000))
    },
    recall: async key => (await redis.get(`hub:value:${key}`)) ?? undefined,
    forget: async key => {
      await redis.del(`hub:value:${key}`)
    },
    lock: async (name, ttlSeconds, work) => {
      const key = `hub:lock:${name}`
      const owner = randomUUID()
      if (!(await redis.set(key, owner, 'PX', Math.ceil(ttlSeconds * 1000), 'NX'))) return false
      try {
        await work()
        return true
      } finally {
        // Deletes the lock only while we own it: another node may have taken it after our time ran out.
        await redis.hubUnlock(key, owner).catch(() => {})
      }
    },
    isAnswering: async () => (await redis.ping()) === 'PONG',
    close: async () => {
      closeShared()
      // Responses to the last commands are awaited, but not for as long as to a lock: Redis may not answer any more.
      const isClosed = await endsWithin(redis.quit(), stateCloseMaxMs).catch(() => false)
      if (!isClosed) redis.disconnect()
    },
  }
}
