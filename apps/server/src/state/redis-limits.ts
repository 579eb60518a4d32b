import { randomUUID } from 'node:crypto'
import type { Redis } from 'ioredis'
import { decideTake, type LimitUsage, leaseSeconds, type State } from './state.ts'

// Each limit is a hash and a sorted set. Hash fields: `u` used, `r` sum of the running leases, `w` name of the window,
// `a:<id>` amount of a lease, `g` id of the server that received the seed. The set orders lease ids by expiry time.
// All scripts use the time of the Redis server.

const kit = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local function text(n) return string.format('%.0f', n) end
local function running(h, z)
  local r = tonumber(redis.call('HGET', h, 'r') or '0')
  local gone = redis.call('ZRANGEBYSCORE', z, '-inf', now)
  if #gone > 0 then
    for _, id in ipairs(gone) do
      r = r - tonumber(redis.call('HGET', h, 'a:' .. id) or '0')
      redis.call('HDEL', h, 'a:' .. id)
      redis.call('ZREM', z, id)
    end
    redis.call('HSET', h, 'r', text(r))
  end
  return r
end
local function keep(h, z, ms)
  if redis.call('PTTL', h) < ms then redis.call('PEXPIRE', h, ms) end
  if redis.call('PTTL', z) < ms then redis.call('PEXPIRE', z, ms) end
end
local function lease(h, z, id, amount, ms)
  local before = tonumber(redis.call('HGET', h, 'a:' .. id) or '0')
  redis.call('ZADD', z, now + ${leaseSeconds * 1000}, id)
  redis.call('HSET', h, 'a:' .. id, text(amount))
  redis.call('HINCRBY', h, 'r', text(amount - before))
  keep(h, z, ms)
end
`

/**
 * Takes from all limits or from none. Returns per limit: used (-1 when a seed is missing), milliseconds left, window.
 * A failover may have lost the latest writes, so that limits with a seed ask for it again on a new server.
 */
const takeScript = `${kit}
local id, server = ARGV[1], ARGV[2]
local found = {}
local fits = true
for i = 1, #KEYS / 2 do
  local h, z, a = KEYS[2 * i - 1], KEYS[2 * i], 8 * i - 5
  local limit, amount, ms = tonumber(ARGV[a + 1]), tonumber(ARGV[a + 2]), tonumber(ARGV[a + 3])
  local seed, kept = ARGV[a + 4], tonumber(ARGV[a + 6])
  local u = redis.call('HGET', h, 'u')
  if u and ARGV[a + 7] == '1' and redis.call('HGET', h, 'g') ~= server then
    if seed == '' then u = false
    else seed = text(math.max(tonumber(u), tonumber(seed))) end
    if u then redis.call('HSET', h, 'u', seed, 'g', server) end
    if u then u = seed end
  elseif not u and seed ~= '' then
    u = seed
    redis.call('HSET', h, 'u', u, 'w', now, 'g', server)
    redis.call('PEXPIRE', h, ms)
  else
    seed = ''
  end
  if not u then
    fits = false
    found[i] = { '-1', 0, 0 }
  else
    local r = running(h, z)
    local before = tonumber(ARGV[a + 5]) - r
    if seed ~= '' and before > 0 then
      lease(h, z, 'before', before, kept)
      r = r + before
    end
    if tonumber(u) + r + amount > limit then fits = false end
    found[i] = { text(tonumber(u) + r), redis.call('PTTL', h), tonumber(redis.call('HGET', h, 'w')) }
  end
end
if fits then
  for i = 1, #KEYS / 2 do
    local h, z, a = KEYS[2 * i - 1], KEYS[2 * i], 8 * i - 5
    if ARGV[a] == 'sum' then redis.call('HINCRBY', h, 'u', ARGV[a + 2])
    else lease(h, z, id, tonumber(ARGV[a + 2]), tonumber(ARGV[a + 6])) end
  end
end
return found`

const releaseScript = `${kit}
for i = 1, #KEYS / 2 do
  local h, z, a = KEYS[2 * i - 1], KEYS[2 * i], 3 * i - 2
  local what, n = ARGV[a + 1], tonumber(ARGV[a + 2])
  local u = redis.call('HGET', h, 'u')
  if ARGV[a] == 'lease' then
    local r = running(h, z)
    if redis.call('ZREM', z, what) == 1 then
      redis.call('HSET', h, 'r', text(r - tonumber(redis.call('HGET', h, 'a:' .. what) or '0')))
      redis.call('HDEL', h, 'a:' .. what)
    end
  elseif u and ARGV[a] == 'used' then
    if n > tonumber(u) then redis.call('HSET', h, 'u', text(n)) end
  elseif u and redis.call('HGET', h, 'w') == what then
    redis.call('HSET', h, 'u', text(math.max(0, tonumber(u) + n)))
  end
end`

const renewScript = `${kit}
for i = 1, #KEYS / 2 do
  local h, z, a = KEYS[2 * i - 1], KEYS[2 * i], 3 * i - 2
  running(h, z)
  lease(h, z, ARGV[a], tonumber(ARGV[a + 1]), tonumber(ARGV[a + 2]))
end`

type Arguments = (string | number)[]
type Scripts = {
  hubTake(keys: number, ...values: Arguments): Promise<[string, number, number][]>
  hubRelease(keys: number, ...values: Arguments): Promise<unknown>
  hubRenew(keys: number, ...values: Arguments): Promise<unknown>
}

const keysOf = (each: { key: string }) => [`hub:limit:${each.key}`, `hub:running:${each.key}`]
/** Lifetime of a key after its last lease; never shorter than the lease itself. */
const keyLifetimeMs = (windowSeconds: number) =>
  Math.ceil(Math.max(windowSeconds, 2 * leaseSeconds) * 1000)

/** Limits of calls: one script call for all limits of a call. Rejects while Redis is unavailable. */
export const redisLimits = (client: Redis): Pick<State, 'take' | 'release' | 'renew'> => {
  client.defineCommand('hubTake', { lua: takeScript })
  client.defineCommand('hubRelease', { lua: releaseScript })
  client.defineCommand('hubRenew', { lua: renewScript })
  const redis = client as Redis & Scripts
  const serverId = trackServerId(client)

  return {
    take: async (id, requests) => {
      const keys = requests.flatMap(keysOf)
      const values = requests.flatMap(({ kind, limit, amount, windowSeconds, seed }) => {
        const { used, running } = seed === 'unknown' ? { used: '', running: 0 } : (seed ?? noSeed)
        const ms = Math.ceil(windowSeconds * 1000)
        const hasSeed = seed === undefined ? 0 : 1
        return [kind, limit, amount, ms, used, running, keyLifetimeMs(windowSeconds), hasSeed]
      })
      const server = serverId()
      const serverName = typeof server === 'string' ? server : await server
      const rows = await redis.hubTake(keys.length, ...keys, id, serverName, ...values)
      const usages = rows.map(
        ([used, leftMilliseconds, window]): LimitUsage => ({
          used: Number(used) < 0 ? undefined : Number(used),
          leftMilliseconds,
          window,
        }),
      )
      return decideTake(requests, usages)
    },
    release: async releases => {
      if (releases.length === 0) return
      const keys = releases.flatMap(keysOf)
      const values = releases.flatMap(each => {
        if (each.kind === 'lease') return [each.kind, each.id, 0]
        if (each.kind === 'used') return [each.kind, '', each.used]
        return [each.kind, String(each.window), each.change]
      })
      await redis.hubRelease(keys.length, ...keys, ...values)
    },
    renew: async leases => {
      if (leases.length === 0) return
      const keys = leases.flatMap(keysOf)
      const values = leases.flatMap(each => [
        each.id,
        each.amount,
        keyLifetimeMs(each.windowSeconds),
      ])
      await redis.hubRenew(keys.length, ...keys, ...values)
    },
  }
}

const noSeed = { used: 0, running: 0 }

/**
 * Identifies the server: changes after each restart and failover, and is random while there is no connection. All nodes
 * must agree on it, because another server's usage is read from the ledger again.
 */
const trackServerId = (redis: Redis): (() => string | Promise<string>) => {
  let name: string | Promise<string> = randomUUID()
  const ask = () => {
    const answer = redis.info('server').then(
      info => /run_id:(\w+)/.exec(info)?.[1] ?? 'redis',
      // Some hosted servers refuse INFO. Usage lost in their failovers is restored by the next charge.
      () => 'redis',
    )
    name = answer
    void answer.then(found => {
      if (name === answer) name = found
    })
  }
  redis.on('close', () => {
    name = randomUUID()
  })
  redis.on('ready', ask)
  // The first connection is ready before anything listens.
  if (redis.status === 'ready') ask()
  return () => name
}
