/** The list maintains `listIndex`; it is -1 while the item is in no list. */
export type ListItem = { listIndex: number }

/**
 * Unordered list with constant-time insertion and removal. A Set would do, but V8 chains the tables that a Set outgrows:
 * the chain retains every item until the next full collection, a sixth of the allocation of a call.
 */
export type SwapRemoveList<T> = {
  add(item: T): void
  remove(item: T): void
  size(): number
  toArray(): T[]
}

/** `entryOf` finds the part of an item that has its index. */
export const makeSwapRemoveList = <T>(entryOf: (item: T) => ListItem): SwapRemoveList<T> => {
  const items: T[] = []
  return {
    add: item => {
      const entry = entryOf(item)
      if (entry.listIndex === -1) entry.listIndex = items.push(item) - 1
    },
    remove: item => {
      const entry = entryOf(item)
      if (entry.listIndex === -1) return
      const last = items.pop()!
      if (last !== item) {
        items[entry.listIndex] = last
        entryOf(last).listIndex = entry.listIndex
      }
      entry.listIndex = -1
    },
    size: () => items.length,
    toArray: () => [...items],
  }
}
