/** What can stand in a bag; the bag's own, -1 outside. */
export type Placed = { place: number }

/**
 * Things that come and go all the time, in no order. A Set would do, but each time it makes room V8 leaves its table
 * behind, chained to the next one: once the first of them is old, every thing that ever stood in one of them is kept, and
 * copied, until the next full collection. That was a sixth of all that a call allocates.
 */
export type Bag<T extends Placed> = {
  add(thing: T): void
  remove(thing: T): void
  size(): number
  all(): T[]
}

export const makeBag = <T extends Placed>(): Bag<T> => {
  const things: T[] = []
  return {
    add: thing => {
      if (thing.place === -1) thing.place = things.push(thing) - 1
    },
    remove: thing => {
      if (thing.place === -1) return
      const last = things.pop()!
      if (last !== thing) {
        things[thing.place] = last
        last.place = thing.place
      }
      thing.place = -1
    },
    size: () => things.length,
    all: () => [...things],
  }
}
