/** Keeps what was used last: at least half of `sizeMax` entries, never more than `sizeMax`. */
export type Lru<K, V> = {
  get(key: K): V | undefined
  set(key: K, value: V): void
  delete(key: K): void
  clear(): void
}

/**
 * Two generations: what is used moves into the young one, and when that is half of all, the old one is let go. A hit
 * costs one look-up and moves nothing, where a list in the order of use would be written at every hit.
 */
export const makeLru = <K, V>(sizeMax: number): Lru<K, V> => {
  const half = Math.max(1, Math.floor(sizeMax / 2))
  let young = new Map<K, V>()
  let old = new Map<K, V>()

  const put = (key: K, value: V) => {
    if (young.size >= half && !young.has(key)) {
      old = young
      young = new Map()
    }
    young.set(key, value)
  }

  return {
    get: key => {
      const value = young.get(key)
      if (value !== undefined) return value
      const known = old.get(key)
      if (known === undefined) return undefined
      old.delete(key)
      put(key, known)
      return known
    },
    set: (key, value) => {
      old.delete(key)
      put(key, value)
    },
    delete: key => {
      young.delete(key)
      old.delete(key)
    },
    clear: () => {
      young.clear()
      old.clear()
    },
  }
}
