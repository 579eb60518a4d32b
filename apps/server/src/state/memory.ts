import { performance } from 'node:perf_hooks'
import { memoryLimits } from './memory-limits.ts'
import { bucketVerdict, capacityOf, countVerdict, type State } from './state.ts'

type Slot = { value: string; n: number; tokens: number; at: number; until: number }

/** Entries kept at most: the oldest go first, so that no flood of keys fills the memory. */
const slotsMax = 200_000

/** Uses the monotonic clock: a jump of the wall clock opens no limit and closes none. */
export const memoryState = (now: () => number = () => performance.now()): State => {
  const slots = new Map<string, Slot>()
  const running = new Set<string>()

  const find = (key: string): Slot | undefined => {
    const slot = slots.get(key)
    if (!slot || slot.until > now()) return slot
    slots.delete(key)
    return undefined
  }

  const put = (key: string, slot: Partial<Slot> & { until: number }): Slot => {
    const made: Slot = { value: '', n: 0, tokens: 0, at: now(), ...slot }
    slots.delete(key)
    slots.set(key, made)
    if (slots.size > slotsMax) {
      for (const oldest of slots.keys()) {
        slots.delete(oldest)
        break
      }
    }
    return made
  }

  const limits = memoryLimits(now)
  const sweep = setInterval(() => {
    limits.sweep()
    for (const key of slots.keys()) find(key)
  }, 60_000)
  sweep.unref()

  return {
    count: (key, windowSeconds, limit) => {
      const name = `count:${key}`
      const slot = find(name) ?? put(name, { until: now() + windowSeconds * 1000 })
      if (slot.n <= limit) slot.n++
      return countVerdict(slot.n, limit, slot.until - now())
    },
    bucket: (key, perMinute) => {
      const name = `bucket:${key}`
      const at = now()
      const until = at + 60_000
      const slot = find(name) ?? put(name, { tokens: capacityOf(perMinute), until })
      const refilled = slot.tokens + (Math.max(0, at - slot.at) * perMinute) / 60_000
      const tokens = Math.min(capacityOf(perMinute), refilled)
      const ok = tokens >= 1
      slot.tokens = ok ? tokens - 1 : tokens
      slot.at = at
      slot.until = until
      return bucketVerdict(slot.tokens, perMinute, ok)
    },
    take: limits.take,
    give: limits.give,
    renew: limits.renew,
    remember: async (key, value, ttlSeconds) => {
      put(`value:${key}`, { value, until: now() + ttlSeconds * 1000 })
    },
    recall: async key => find(`value:${key}`)?.value,
    forget: async key => {
      slots.delete(`value:${key}`)
    },
    lock: async (name, _ttlSeconds, work) => {
      if (running.has(name)) return false
      running.add(name)
      try {
        await work()
        return true
      } finally {
        running.delete(name)
      }
    },
    close: async () => clearInterval(sweep),
  }
}
