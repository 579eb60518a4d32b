import { type Found, leaseSeconds, type State, takenOf, type Want } from './state.ts'

type Running = { amount: number; until: number }
/** `used` is undefined where only leases were renewed since it was lost. */
type Slot = {
  used: number | undefined
  running: Map<string, Running>
  opened: number
  until: number
}

/** Keys kept at most: the oldest go first. */
const slotsMax = 200_000

type Limits = Pick<State, 'take' | 'give' | 'renew'> & { sweep(): void }

/** The limits of calls in this process. Nothing waits in here, so nothing comes between looking and taking. */
export const memoryLimits = (now: () => number): Limits => {
  const slots = new Map<string, Slot>()
  let openedLast = 0

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
    // Two windows never have one name, however fast they follow each other.
    openedLast = Math.max(openedLast + 1, Math.floor(now()))
    const slot: Slot = {
      used: undefined,
      running: new Map(),
      opened: openedLast,
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

  const lease = (slot: Slot, id: string, amount: number) =>
    slot.running.set(id, { amount, until: now() + leaseSeconds * 1000 })

  /** A lease keeps its key as long as it runs itself. */
  const keep = (slot: Slot, windowSeconds: number) => {
    slot.until = Math.max(slot.until, now() + Math.max(windowSeconds, 2 * leaseSeconds) * 1000)
  }

  const look = (want: Want): Slot | undefined => {
    const known = find(want.key)
    if (known?.used !== undefined) return known
    if (want.seed === 'unknown') return undefined
    const slot = known ?? open(want.key, want.windowSeconds)
    slot.used = want.seed?.used ?? 0
    const running = want.seed?.running ?? 0
    // What ran before this was known comes back by itself when it is renewed; until then it counts as one.
    if (running > 0) lease(slot, 'before', running)
    return slot
  }

  const foundOf = (slot: Slot | undefined): Found => {
    if (!slot) return { used: undefined, leftMilliseconds: 0, window: 0 }
    let used = slot.used ?? 0
    for (const { amount } of slot.running.values()) used += amount
    return { used, leftMilliseconds: slot.until - now(), window: slot.opened }
  }

  return {
    take: async (id, wants) => {
      const looked = wants.map(look)
      const taken = takenOf(wants, looked.map(foundOf))
      if (!taken.ok) return taken
      for (const [at, want] of wants.entries()) {
        const slot = looked[at]!
        if (want.kind === 'sum') slot.used = (slot.used ?? 0) + want.amount
        else {
          lease(slot, id, want.amount)
          keep(slot, want.windowSeconds)
        }
      }
      return taken
    },
    give: async returns => {
      for (const each of returns) {
        const slot = find(each.key)
        if (!slot) continue
        if (each.kind === 'lease') slot.running.delete(each.id)
        else if (slot.used === undefined) continue
        else if (each.kind === 'used') slot.used = Math.max(slot.used, each.used)
        else if (each.window === slot.opened) slot.used = Math.max(0, slot.used + each.change)
      }
    },
    renew: async leases => {
      for (const { key, id, amount, windowSeconds } of leases) {
        const slot = find(key) ?? open(key, windowSeconds)
        lease(slot, id, amount)
        keep(slot, windowSeconds)
      }
    },
    sweep: () => {
      for (const key of slots.keys()) find(key)
    },
  }
}
