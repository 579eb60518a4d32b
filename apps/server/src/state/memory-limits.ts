import {
  decideTake,
  type LimitRequest,
  type LimitUsage,
  leaseSeconds,
  type State,
} from './state.ts'

type RunningLease = { amount: number; until: number }
/** `used` is undefined in a window that a renewal created, until a seed is known. */
type Slot = {
  used: number | undefined
  running: Map<string, RunningLease>
  /** Unique per window: about its opening time in milliseconds. */
  windowId: number
  until: number
}

/** Maximum number of keys; the first created is evicted first. */
const slotsMax = 200_000

type MemoryLimits = Pick<State, 'take' | 'release' | 'renew'> & { sweep(): void }

/** In-memory `take`, `release` and `renew` of `State`. Awaits nothing, so that check and take are atomic. */
export const memoryLimits = (now: () => number): MemoryLimits => {
  const { find, open, sweep } = makeSlots(now)

  const putLease = (slot: Slot, id: string, amount: number) =>
    slot.running.set(id, { amount, until: now() + leaseSeconds * 1000 })

  /** A slot lives at least as long as its leases. */
  const extend = (slot: Slot, windowSeconds: number) => {
    slot.until = Math.max(slot.until, now() + Math.max(windowSeconds, 2 * leaseSeconds) * 1000)
  }

  const findOrSeed = (request: LimitRequest): Slot | undefined => {
    const existing = find(request.key)
    if (existing?.used !== undefined) return existing
    if (request.seed === 'unknown') return undefined
    const slot = existing ?? open(request.key, request.windowSeconds)
    slot.used = request.seed?.used ?? 0
    // Calls of the seed that renewed no lease yet count as one lease for `leaseSeconds`.
    const before = (request.seed?.running ?? 0) - runningIn(slot)
    if (before > 0) putLease(slot, 'before', before)
    return slot
  }

  const usageOf = (slot: Slot | undefined): LimitUsage => {
    if (!slot) return { used: undefined, leftMilliseconds: 0, window: 0 }
    const used = (slot.used ?? 0) + runningIn(slot)
    return { used, leftMilliseconds: slot.until - now(), window: slot.windowId }
  }

  return {
    take: async (id, requests) => {
      const slots = requests.map(findOrSeed)
      const result = decideTake(requests, slots.map(usageOf))
      if (!result.ok) return result
      for (const [index, request] of requests.entries()) {
        const slot = slots[index]!
        if (request.kind === 'sum') slot.used = (slot.used ?? 0) + request.amount
        else {
          putLease(slot, id, request.amount)
          extend(slot, request.windowSeconds)
        }
      }
      return result
    },
    release: async releases => {
      for (const each of releases) {
        const slot = find(each.key)
        if (!slot) continue
        if (each.kind === 'lease') slot.running.delete(each.id)
        else if (slot.used === undefined) continue
        else if (each.kind === 'used') slot.used = Math.max(slot.used, each.used)
        else if (each.window === slot.windowId) slot.used = Math.max(0, slot.used + each.change)
      }
    },
    renew: async leases => {
      for (const { key, id, amount, windowSeconds } of leases) {
        const slot = find(key) ?? open(key, windowSeconds)
        putLease(slot, id, amount)
        extend(slot, windowSeconds)
      }
    },
    sweep,
  }
}

const runningIn = ({ running }: Slot): number => {
  let sum = 0
  for (const { amount } of running.values()) sum += amount
  return sum
}

/** Slots by key. Finding a slot removes its expired leases, and the slot itself once it has expired. */
const makeSlots = (now: () => number) => {
  const slots = new Map<string, Slot>()
  let lastWindowId = 0

  const find = (key: string): Slot | undefined => {
    const slot = slots.get(key)
    if (!slot) return undefined
    const at = now()
    for (const [id, { until }] of slot.running) if (until <= at) slot.running.delete(id)
    if (slot.until > at) return slot
    slots.delete(key)
    return undefined
  }

  const open = (key: string, windowSeconds: number): Slot => {
    // Two windows never have the same id, even when they open within one millisecond.
    lastWindowId = Math.max(lastWindowId + 1, Math.floor(now()))
    const slot: Slot = {
      used: undefined,
      running: new Map(),
      windowId: lastWindowId,
      until: now() + windowSeconds * 1000,
    }
    slots.set(key, slot)
    if (slots.size > slotsMax)
      for (const oldest of slots.keys()) {
        slots.delete(oldest)
        break
      }
    return slot
  }

  const sweep = () => {
    for (const key of slots.keys()) find(key)
  }

  return { find, open, sweep }
}
