type Bounds = {
  entriesMax: number
  bytesMax: number
  /** Bytes of this value. */
  size: number
  seconds: number
}

/** Values with an expiry, bounded by their number and their bytes; the least recently used are dropped first. */
export type BoundedCache<V> = {
  get(key: string): V | undefined
  set(key: string, value: V, bounds: Bounds): void
}

/** `now` returns monotonic milliseconds. */
export const makeBoundedCache = <V>(now: () => number): BoundedCache<V> => {
  const entries = new Map<string, { value: V; size: number; until: number }>()
  let bytes = 0

  const remove = (key: string) => {
    bytes -= entries.get(key)?.size ?? 0
    entries.delete(key)
  }

  return {
    get: key => {
      const entry = entries.get(key)
      if (!entry) return undefined
      remove(key)
      if (entry.until <= now()) return undefined
      entries.set(key, entry)
      bytes += entry.size
      return entry.value
    },
    set: (key, value, { entriesMax, bytesMax, size, seconds }) => {
      remove(key)
      if (size > bytesMax) return
      entries.set(key, { value, size, until: now() + seconds * 1_000 })
      bytes += size
      for (const oldest of entries.keys()) {
        if (entries.size <= entriesMax && bytes <= bytesMax) break
        remove(oldest)
      }
    },
  }
}
