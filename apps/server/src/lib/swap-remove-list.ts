/** The list maintains `listIndex`; it is -1 while the item is in no list. */
export type ListItem = { listIndex: number }

/**
 * Unordered list with constant-time insertion and removal. A Set would do, but V8 chains the tables that a Set outgrows:
 * the chain retains every item until the next full collection, a sixth of the allocation of a call.
 */
export type SwapRemoveList<T extends ListItem> = {
  add(item: T): void
  remove(item: T): void
  size(): number
  toArray(): T[]
}

export const makeSwapRemoveList = <T extends ListItem>(): SwapRemoveList<T> => {
  const items: T[] = []
  return {
    add: item => {
      if (item.listIndex === -1) item.listIndex = items.push(item) - 1
    },
    remove: item => {
      if (item.listIndex === -1) return
      const last = items.pop()!
      if (last !== item) {
        items[item.listIndex] = last
        last.listIndex = item.listIndex
      }
      item.listIndex = -1
    },
    size: () => items.length,
    toArray: () => [...items],
  }
}
