import { randomUUID } from 'node:crypto'
import type { Redis } from 'ioredis'
import { type Found, leaseSeconds, type State, takenOf } from './state.ts'

// Each limit is a hash and a sorted set: `u` used, `r` the sum of what runs, `w` the window's name, `a:<id>` the amount
// of a lease, `g` the server that was told of the seed; the set has the ids of leases by the moment they end. Redis' own
// time decides.

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
 * Looks at all, and takes all or nothing. Answers used (or -1: a seed is wanted), milliseconds left, window. A server
 * that another one has taken over from may have lost the last moments: what has a seed is asked for again.
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

const giveScript = `${kit}
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
  hubTake(keys: number, ...rest: Arguments): Promise<[string, number, number][]>
  hubGive(keys: number, ...rest: Arguments): Promise<unknown>
  hubRenew(keys: number, ...rest: Arguments): Promise<unknown>
}

const keysOf = (each: { key: string }) => [`hub:limit:${each.key}`, `hub:running:${each.key}`]
/** How long a key lives after its last lease: never shorter than the lease itself. */
const keptMs = (windowSeconds: number) =>
  Math.ceil(Math.max(windowSeconds, 2 * leaseSeconds) * 1000)

/** Limits of calls, one script each for all of a call's keys. Rejects while Redis is away. */
export const redisLimits = (client: Redis): Pick<State, 'take' | 'give' | 'renew'> => {
  client.defineCommand('hubTake', { lua: takeScript })
  client.defineCommand('hubGive', { lua: giveScript })
  client.defineCommand('hubRenew', { lua: renewScript })
  const redis = client as Redis & Scripts
  const server = watchServer(client)

  return {
    take: async (id, wants) => {
      const keys = wants.flatMap(keysOf)
      const values = wants.flatMap(({ kind, limit, amount, windowSeconds, seed }) => {
        const { used, running } = seed === 'unknown' ? { used: '', running: 0 } : (seed ?? none)
        const ms = Math.ceil(windowSeconds * 1000)
        const hasSeed = seed === undefined ? 0 : 1
        return [kind, limit, amount, ms, used, running, keptMs(windowSeconds), hasSeed]
      })
      const rows = await redis.hubTake(keys.length, ...keys, id, server(), ...values)
      const found = rows.map(
        ([used, leftMilliseconds, window]): Found => ({
          used: Number(used) < 0 ? undefined : Number(used),
          leftMilliseconds,
          window,
        }),
      )
      return takenOf(wants, found)
    },
    give: async returns => {
      if (returns.length === 0) return
      const keys = returns.flatMap(keysOf)
      const values = returns.flatMap(each => {
        if (each.kind === 'lease') return [each.kind, each.id, 0]
        if (each.kind === 'used') return [each.kind, '', each.used]
        return [each.kind, String(each.window), each.change]
      })
      await redis.hubGive(keys.length, ...keys, ...values)
    },
    renew: async leases => {
      if (leases.length === 0) return
      const keys = leases.flatMap(keysOf)
      const values = leases.flatMap(each => [each.id, each.amount, keptMs(each.windowSeconds)])
      await redis.hubRenew(keys.length, ...keys, ...values)
    },
  }
}

const none = { used: 0, running: 0 }

/** A name of the server: another one after each restart and takeover, and one of its own while nobody knows. */
const watchServer = (redis: Redis): (() => string) => {
  let name: string = randomUUID()
  redis.on('close', () => {
    name = randomUUID()
  })
  redis.on('ready', () => {
    redis.info('server').then(
      told => {
        name = /run_id:(\w+)/.exec(told)?.[1] ?? 'redis'
      },
      // Some hosted servers do not tell: what a takeover of theirs lost comes back with the next charge.
      () => {
        name = 'redis'
      },
    )
  })
  return () => name
}
