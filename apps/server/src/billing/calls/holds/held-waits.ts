import { Fault } from '@hub/contract'
import type { App } from '../../../core/app.ts'
import { appScoped } from '../../../core/app-scoped.ts'
import type { Call } from '../../../core/call.ts'
import { timers } from '../../../core/timers.ts'

// An agent starts calls side by side, and each may hold the longest answer of its model. A call that only other holds of
// its payer keep out waits for one of them to end, because a client repeats a refusal with growing pauses, and gives up.

/** Each waiting call keeps its body in memory. */
export const waitingMax = { ofPayer: 32, ofNode: 1_000 } as const
/** Holds of other nodes end without a sign here, and so does a cap or a balance grow. */
const pollMs = 1_000

type Waiter = {
  /** A hold of the payer ended since the waiter last tried. */
  isWoken: boolean
  wake(): void
}

type Waiters = { byPayer: Map<number, Set<Waiter>>; size: number }

const waiters = appScoped<Waiters>(() => ({ byPayer: new Map(), size: 0 }))

/** Tells the waiting calls of a payer that one of his holds has ended, the oldest first. */
export const wakeWaiting = (app: App, userId: number): void => {
  for (const waiter of waiters(app).byPayer.get(userId) ?? []) {
    waiter.isWoken = true
    waiter.wake()
  }
}

/** The number of calls that wait on this node. */
export const waitingCalls = (app: App): number => waiters(app).size

const isHeld = (error: unknown): error is Fault =>
  error instanceof Fault && error.code === 'quota.held'

/** Opens a hold, again after each hold of the payer that ends, until the setting's time is over or the caller leaves. */
export const openWhenFree = async <T>(app: App, call: Call, open: () => Promise<T>): Promise<T> => {
  try {
    return await open()
  } catch (error) {
    const waitMs = app.settings().money.HeldWaitSeconds * 1_000
    if (!isHeld(error) || waitMs === 0) throw error
    const waiter = addWaiter(app, call.caller.userId)
    if (!waiter) throw error
    try {
      return await openAgain(app, call, waiter, { open, until: app.monotonic() + waitMs })
    } finally {
      removeWaiter(app, call.caller.userId, waiter)
    }
  }
}

type Attempts<T> = { open: () => Promise<T>; until: number }

const openAgain = async <T>(
  app: App,
  call: Call,
  waiter: Waiter,
  { open, until }: Attempts<T>,
): Promise<T> => {
  for (;;) {
    waiter.isWoken = false
    try {
      return await open()
    } catch (error) {
      if (!isHeld(error) || app.monotonic() >= until) throw error
    }
    if (!waiter.isWoken) await nextChance(app, call, waiter, until)
  }
}

/** Resolves when a hold of the payer ends, or after a pause. Rejects when the caller leaves. */
const nextChance = (app: App, call: Call, waiter: Waiter, until: number): Promise<void> => {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const timer = timers(app).start(Math.min(pollMs, until - app.monotonic()), resolve)
  const abort = (reason: string) =>
    reject(new Fault(reason === 'stopping' ? 'server.stopping' : 'upstream.broken'))
  waiter.wake = resolve
  if (call.abort) {
    call.abort.onAbort = abort
    if (call.abort.reason !== undefined) abort(call.abort.reason)
  }
  return promise.finally(() => {
    timers(app).stop(timer)
    waiter.wake = doNothing
    if (call.abort) call.abort.onAbort = undefined
  })
}

const doNothing = () => {}

const addWaiter = (app: App, userId: number): Waiter | undefined => {
  const { byPayer, size } = waiters(app)
  const ofPayer = byPayer.get(userId) ?? new Set()
  if (size >= waitingMax.ofNode || ofPayer.size >= waitingMax.ofPayer) return undefined
  const waiter: Waiter = { isWoken: false, wake: doNothing }
  byPayer.set(userId, ofPayer.add(waiter))
  waiters(app).size += 1
  return waiter
}

const removeWaiter = (app: App, userId: number, waiter: Waiter): void => {
  const all = waiters(app)
  const ofPayer = all.byPayer.get(userId)
  if (!ofPayer?.delete(waiter)) return
  all.size -= 1
  if (ofPayer.size === 0) all.byPayer.delete(userId)
}
