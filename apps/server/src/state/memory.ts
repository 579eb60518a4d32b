import { performance } from 'node:perf_hooks'
import { memoryLimits } from './memory-limits.ts'
import { bucketCapacity, bucketStatus, countStatus, type State } from './state.ts'

type Count = { n: number; until: number }
type Bucket = { tokens: number; at: number; until: number }
type Value = { value: string; until: number }

/** Maximum number of entries per kind; the first created is evicted first, so that a flood of keys cannot fill the memory. */
const slotsMax = 100_000

/** Entries by key, each with an expiry time. */
const makeSlots = <S extends { until: number }>() => {
  const slots = new Map<string, S>()

  const find = (key: string, at: number): S | undefined => {
    const slot = slots.get(key)
    if (!slot || slot.until > at) return slot
    slots.delete(key)
    return undefined
  }

  const put = (key: string, slot: S): S => {
    slots.delete(key)
    slots.set(key, slot)
    if (slots.size > slotsMax) {
      for (const oldest of slots.keys()) {
        slots.delete(oldest)
        break
      }
    }
    return slot
  }

  const sweep = (at: number) => {
    for (const key of slots.keys()) find(key, at)
  }

  return { find, put, sweep, remove: (key: string) => void slots.delete(key) }
}

/** State of this process alone. Uses the monotonic clock, so that a wall clock jump changes no limit. */
export const memoryState = (now: () => number = () => performance.now()): State => {
  const counts = makeSlots<Count>()
  const buckets = makeSlots<Bucket>()
  const values = makeSlots<Value>()
  const running = new Set<string>()

  const limits = memoryLimits(now)
  const sweep = setInterval(() => {
    limits.sweep()
    for (const each of [counts, buckets, values]) each.sweep(now())
  }, 60_000)
  sweep.unref()

  return {
    count: (key, windowSeconds, limit) => {
      const at = now()
      const slot =
        counts.find(key, at) ?? counts.put(key, { n: 0, until: at + windowSeconds * 1000 })
      if (slot.n <= limit) slot.n++
      return countStatus(slot.n, limit, slot.until - at)
    },
    bucket: (key, perMinute) => {
      const at = now()
      const until = at + 60_000
      const slot =
        buckets.find(key, at) ?? buckets.put(key, { tokens: bucketCapacity(perMinute), at, until })
      const refilled = slot.tokens + (Math.max(0, at - slot.at) * perMinute) / 60_000
      const tokens = Math.min(bucketCapacity(perMinute), refilled)
      const ok = tokens >= 1
      slot.tokens = ok ? tokens - 1 : tokens
      slot.at = at
      slot.until = until
      return bucketStatus(slot.tokens, perMinute, ok)
    },
    take: limits.take,
    release: limits.release,
    renew: limits.renew,
    remember: async (key, value, ttlSeconds) => {
      values.put(key, { value, until: now() + ttlSeconds * 1000 })
    },
    recall: async key => values.find(key, now())?.value,
    forget: async key => {
      values.remove(key)
    },
    share: async () => {},
    onShared: () => {},
    // The lock ignores its lifetime: only this process holds it, and releases it when the work ends.
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
    isAnswering: async () => true,
    close: async () => clearInterval(sweep),
  }
}
