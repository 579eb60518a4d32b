import type { Operation, OutcomeOf } from '../operations.ts'

/** An operation on its way, and who waits for it. */
export type Entry = {
  readonly operation: Operation
  /** Milliseconds by the awake clock: when the first of those that are gathered with it came. */
  readonly since: number
  answered: boolean
  resolve(outcome: OutcomeOf<never>): void
  reject(error: unknown): void
}

/** No transaction over 50 ms: the others wait meanwhile. */
const batchMax = 512

/** Settling gives back what the holds of the same batch may need. */
const rank = { settle: 0, void: 0, recover: 0, checkpoint: 1, hold: 2 } as const

/**
 * Takes the next batch out of the queue, in the order in which it is to be done. Two operations on one request never
 * share a batch: the later one would overtake the earlier one.
 */
export const takeBatch = (queue: Entry[]): Entry[] => {
  const ids = new Set<number>()
  const ranked: [Entry[], Entry[], Entry[]] = [[], [], []]
  const later: Entry[] = []
  for (const entry of queue) {
    const { id, kind } = entry.operation
    const before = ids.size
    ids.add(id)
    if (ids.size > before && ids.size <= batchMax) ranked[rank[kind]].push(entry)
    else later.push(entry)
  }
  queue.length = 0
  queue.push(...later)
  return ranked.flat()
}
