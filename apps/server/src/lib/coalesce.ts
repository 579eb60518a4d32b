/** One run at a time. Who asks during a run gets the result of one that began after asking. */
export const coalesce = <T>(work: () => Promise<T>): (() => Promise<T>) => {
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
      // In the same turn as the last look at `isStale`: who asks after it begins a run of its own.
      running = undefined
    }
  }
  return () => {
    isStale = running !== undefined
    running ??= run()
    return running
  }
}
