/** A time limit: when its deadline has passed it fires, once. Plain data, so that moving one costs an assignment. */
export type Timer = {
  deadline: number
  fire: () => void
  /** Its neighbours in the ring of its slot; null while it is stopped. */
  before: Timer | null
  after: Timer | null
}

/**
 * Many time limits on one clock. Most limits are moved with every chunk and hardly ever fire, so moving one only
 * writes its deadline; the wheel looks again when it comes past. Precise to one tick, and never early.
 */
export type Timers = {
  start(ms: number, fire: () => void): Timer
  /** Fires `ms` from now instead, also if it had been stopped. */
  touch(timer: Timer, ms: number): void
  stop(timer: Timer): void
  size(): number
}

type Clock = {
  /** Milliseconds that never jump. */
  now(): number
  tickMs?: number
  /** Calls back about every so many milliseconds, until what it answers is called. */
  every?: (ms: number, tick: () => void) => () => void
}

const slotCount = 512

/** Each slot is a ring of timers, closed by a head of its own: to come and to go allocates nothing. */
const makeHead = (): Timer => {
  const head: Timer = { deadline: 0, fire: () => {}, before: null, after: null }
  head.before = head
  head.after = head
  return head
}

const link = (timer: Timer, head: Timer) => {
  timer.before = head.before
  timer.after = head
  head.before!.after = timer
  head.before = timer
}

const unlink = (timer: Timer) => {
  timer.before!.after = timer.after
  timer.after!.before = timer.before
  timer.before = null
  timer.after = null
}

export const makeTimers = ({ now, tickMs = 25, every = everyInterval }: Clock): Timers => {
  const slots = Array.from({ length: slotCount }, makeHead)
  let size = 0
  let passed = 0
  let halt: (() => void) | undefined

  const slotOf = (deadline: number) =>
    slots[Math.max(Math.ceil(deadline / tickMs), passed + 1) % slotCount]!

  const visit = (head: Timer, at: number) => {
    const here: Timer[] = []
    for (let timer = head.after!; timer !== head; timer = timer.after!) here.push(timer)
    for (const timer of here) {
      // One that fired before it may have stopped it.
      if (timer.before === null) continue
      if (timer.deadline > at) {
        unlink(timer)
        link(timer, slotOf(timer.deadline))
        continue
      }
      remove(timer)
      timer.fire()
    }
  }

  const remove = (timer: Timer) => {
    if (timer.before === null) return
    unlink(timer)
    size--
  }

  const tick = () => {
    const at = now()
    const until = Math.floor(at / tickMs)
    const from = Math.max(passed + 1, until - slotCount + 1)
    for (let each = from; each <= until; each++) {
      passed = each
      visit(slots[each % slotCount]!, at)
    }
    if (size > 0) return
    halt?.()
    halt = undefined
  }

  const add = (timer: Timer) => {
    if (halt === undefined) {
      passed = Math.floor(now() / tickMs)
      halt = every(tickMs, tick)
    }
    size++
    link(timer, slotOf(timer.deadline))
  }

  return {
    start: (ms, fire) => {
      const timer: Timer = { deadline: now() + ms, fire, before: null, after: null }
      add(timer)
      return timer
    },
    touch: (timer, ms) => {
      const deadline = now() + ms
      const isEarlier = deadline < timer.deadline
      timer.deadline = deadline
      if (timer.before === null) return add(timer)
      // A later deadline is found when the wheel comes past; an earlier one would be found too late.
      if (!isEarlier) return
      unlink(timer)
      link(timer, slotOf(deadline))
    },
    stop: remove,
    size: () => size,
  }
}

const everyInterval = (ms: number, tick: () => void) => {
  const interval = setInterval(tick, ms).unref()
  return () => clearInterval(interval)
}
