/** A one-shot timer. Plain data, so that refreshing it costs one assignment. */
export type Timer = {
  /** Milliseconds on the clock passed to `makeTimers`. */
  deadline: number
  fire: () => void
  /** Neighbours in the circular list of its slot; null while the timer is stopped. */
  before: Timer | null
  after: Timer | null
}

/**
 * Hashed timing wheel for many timers. Most are inactivity timeouts that each received chunk restarts and that rarely
 * fire, so a refresh only writes the deadline, which the wheel checks when it reaches the slot. Never fires early; fires
 * at most two ticks late, plus the delay of the event loop. Running timers do not keep the process alive.
 */
export type Timers = {
  /** `fire` must not throw: the other timers of its slot would then wait for a whole turn of the wheel (12.8 s). */
  start(ms: number, fire: () => void): Timer
  /** Moves the deadline to `ms` from now, and restarts a stopped timer. */
  refresh(timer: Timer, ms: number): void
  /** Stopping a stopped timer does nothing. */
  stop(timer: Timer): void
  /** Number of running timers. */
  size(): number
}

type TimersOptions = {
  /** Monotonic clock, in milliseconds. */
  now(): number
  tickMs?: number
  /** Calls `tick` about every `ms` milliseconds; returns the function that stops it. */
  every?: (ms: number, tick: () => void) => () => void
}

const slotCount = 512

/** Each slot is a circular list with a sentinel head, so that insertion and removal allocate nothing. */
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

export const makeTimers = ({ now, tickMs = 25, every = everyInterval }: TimersOptions): Timers => {
  const slots = Array.from({ length: slotCount }, makeHead)
  let size = 0
  let lastTick = 0
  let stopTicking: (() => void) | undefined

  const slotOf = (deadline: number) =>
    slots[Math.max(Math.ceil(deadline / tickMs), lastTick + 1) % slotCount]!

  const visit = (head: Timer, at: number) => {
    const inSlot: Timer[] = []
    for (let timer = head.after!; timer !== head; timer = timer.after!) inSlot.push(timer)
    for (const timer of inSlot) {
      // A timer that fired earlier in this loop may have stopped this one.
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
    const from = Math.max(lastTick + 1, until - slotCount + 1)
    for (let tickNumber = from; tickNumber <= until; tickNumber++) {
      lastTick = tickNumber
      visit(slots[tickNumber % slotCount]!, at)
    }
    if (size > 0) return
    stopTicking?.()
    stopTicking = undefined
  }

  const add = (timer: Timer) => {
    if (stopTicking === undefined) {
      lastTick = Math.floor(now() / tickMs)
      stopTicking = every(tickMs, tick)
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
    refresh: (timer, ms) => {
      const deadline = now() + ms
      const isEarlier = deadline < timer.deadline
      timer.deadline = deadline
      if (timer.before === null) return add(timer)
      // The wheel finds a later deadline when it reaches the slot; it would find an earlier one too late.
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
