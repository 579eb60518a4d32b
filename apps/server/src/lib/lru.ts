/** Least-recently-used cache that holds between half of `sizeMax` and `sizeMax` entries. */
export type Lru<K, V> = {
  get(key: K): V | undefined
  set(key: K, value: V): void
  delete(key: K): void
  /** Visits every entry. */
  deleteWhere(matches: (value: V) => boolean): void
  clear(): void
}

/**
 * Two generations: an entry that is used moves to the young one; when that reaches half the size, the old one is
 * dropped. A hit in the young generation is one lookup, where a linked list would be written at every hit.
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
      const aged = old.get(key)
      if (aged === undefined) return undefined
      old.delete(key)
      put(key, aged)
      return aged
    },
    set: (key, value) => {
      old.delete(key)
      put(key, value)
    },
    delete: key => {
      young.delete(key)
      old.delete(key)
    },
    deleteWhere: matches => {
      for (const generation of [young, old])
        for (const [key, value] of generation) if (matches(value)) generation.delete(key)
    },
    clear: () => {
      young.clear()
      old.clear()
    },
  }
}
