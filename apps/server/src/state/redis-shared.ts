import type { Redis } from 'ioredis'
import type { SharedListener, State } from './state.ts'

// The messages of a topic are a hash by id, next to a sorted set of their ids by expiry time, in the server's time.

const shareScript = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local lifetime = tonumber(ARGV[3])
for _, id in ipairs(redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', now)) do
  redis.call('ZREM', KEYS[1], id)
  redis.call('HDEL', KEYS[2], id)
end
redis.call('ZADD', KEYS[1], now + lifetime, ARGV[1])
redis.call('HSET', KEYS[2], ARGV[1], ARGV[2])
for _, key in ipairs(KEYS) do
  if redis.call('PTTL', key) < lifetime then redis.call('PEXPIRE', key, lifetime) end
end
redis.call('PUBLISH', KEYS[1], string.format('%.0f', lifetime) .. ' ' .. ARGV[2])`

const currentScript = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local found = {}
local rows = redis.call('ZRANGEBYSCORE', KEYS[1], now + 1, '+inf', 'WITHSCORES')
for i = 1, #rows, 2 do
  local message = redis.call('HGET', KEYS[2], rows[i])
  if message then found[#found + 1] = string.format('%.0f', rows[i + 1] - now) .. ' ' .. message end
end
return found`

type SharedScripts = {
  hubShare(key: string, hash: string, id: string, message: string, ms: number): Promise<unknown>
  hubCurrent(key: string, hash: string): Promise<string[]>
}

const keyOf = (topic: string) => `hub:shared:${topic}`
const hashOf = (topic: string) => `hub:shared-messages:${topic}`

/** Messages between nodes by publish and subscribe. A node that connects reads those that have not expired. */
export const redisShared = (
  client: Redis,
): Pick<State, 'share' | 'onShared'> & { closeShared(): void } => {
  client.defineCommand('hubShare', { numberOfKeys: 2, lua: shareScript })
  client.defineCommand('hubCurrent', { numberOfKeys: 2, lua: currentScript })
  const redis = client as Redis & SharedScripts
  const subscribers: Redis[] = []
  return {
    share: async (topic, { id, message, lifetimeMs }) => {
      await redis.hubShare(keyOf(topic), hashOf(topic), id, message, Math.ceil(lifetimeMs))
    },
    onShared: (topic, listener) => {
      const subscriber = client.duplicate({ autoResubscribe: false })
      subscribers.push(subscriber)
      subscriber.on('error', () => {})
      subscriber.on('message', (_channel, text: string) => pass(text, listener))
      // A connection that fails now is tried again, and becomes ready then.
      subscriber.on('ready', () => {
        const subscribed = subscriber.subscribe(keyOf(topic))
        subscribed
          .then(() => redis.hubCurrent(keyOf(topic), hashOf(topic)))
          .then(texts => {
            for (const text of texts) pass(text, listener)
          })
          .catch(() => subscriber.disconnect(true))
      })
      subscriber.connect().catch(() => {})
    },
    closeShared: () => {
      for (const each of subscribers) each.disconnect()
    },
  }
}

const pass = (text: string, listener: SharedListener): void => {
  const end = text.indexOf(' ')
  listener(text.slice(end + 1), Number(text.slice(0, end)))
}
