import type { Operation, OutcomeOf } from '../operations.ts'

/** An operation on its way, and who waits for it. */
export type Entry = {
  readonly operation: Operation
  /** Monotonic milliseconds. */
  readonly since: number
  answered: boolean
  resolve(outcome: OutcomeOf<never>): void
  reject(error: unknown): void
}

/** No transaction over 50 ms: the others wait meanwhile. */
const batchMax = 512

/** Settling gives back what the holds of the same batch may need. */
const rank = { settle: 0, void: 0, recover: 0, checkpoint: 1, hold: 2 }

/**
 * Takes the next batch out of the queue, in the order in which it is to be done. Two operations on one request never
 * share a batch: the later one would overtake the earlier one.
 */
export const takeBatch = (queue: Entry[]): Entry[] => {
  const ids = new Set<number>()
  const batch: Entry[] = []
  const later: Entry[] = []
  for (const entry of queue) {
    const { id } = entry.operation
    if (batch.length < batchMax && !ids.has(id)) batch.push(entry)
    else later.push(entry)
    ids.add(id)
  }
  queue.length = 0
  queue.push(...later)
  return batch.sort((a, b) => rank[a.operation.kind] - rank[b.operation.kind])
}
