import { setTimeout as wait } from 'node:timers/promises'

/** A node asks for the lease this often, and keeps it this often while no poll does so. */
export const leaseMilliseconds = 2_000

/** Resolves when the signal comes, or after the time if there is one. */
export const pause = async (signal: AbortSignal, milliseconds?: number): Promise<void> => {
  if (signal.aborted) return
  if (milliseconds !== undefined)
    return wait(milliseconds, undefined, { signal, ref: false }).catch(() => {})
  await new Promise<void>(resolve => {
    signal.addEventListener('abort', () => resolve(), { once: true })
  })
}
