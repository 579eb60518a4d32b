/** Runs the work once for concurrent callers. A caller never receives a result that was computed from before its call. */
export const singleflight = <T>(work: () => Promise<T>): (() => Promise<T>) => {
  let running: Promise<T> | undefined
  let isStale = false

  const run = async (): Promise<T> => {
    try {
      for (;;) {
        isStale = false
        const value = await work()
        if (!isStale) return value
      }
    } finally {
      // Runs in the same microtask as the last check of `isStale`, so that a later caller starts a new run.
      running = undefined
    }
  }
  return () => {
    isStale = running !== undefined
    running ??= run()
    return running
  }
}
