import { Fault } from '@hub/contract'
import type { LedgerOperation, OutcomeOf } from '../operations.ts'

/** An operation in the queue or in a batch, with the promise of its caller. */
export type QueuedOperation = {
  readonly operation: LedgerOperation
  /** Milliseconds of the suspend-tolerant clock: the time at which the batch of this operation began to collect. */
  readonly since: number
  answered: boolean
  resolve(outcome: OutcomeOf<never>): void
  reject(error: unknown): void
}

/** Keeps a transaction below 50 ms, because the following operations wait for it. */
const batchMax = 512

/** Operations that release money come first, because the holds of the same batch may need it. */
const rank = { settle: 0, void: 0, recover: 0, checkpoint: 1, hold: 2 } as const

/**
 * Takes the next batch out of the queue, in execution order. Two operations on one request never share a batch, because
 * sorting by rank could reverse their order.
 */
export const takeBatch = (queue: QueuedOperation[]): QueuedOperation[] => {
  const ids = new Set<number>()
  const ranked: [QueuedOperation[], QueuedOperation[], QueuedOperation[]] = [[], [], []]
  const later: QueuedOperation[] = []
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

const isAmount = (value: number) => Number.isSafeInteger(value) && value >= 0

const isValid = (operation: LedgerOperation): boolean => {
  switch (operation.kind) {
    case 'hold':
      return isAmount(operation.amount) && isAmount(operation.priceId) && isAmount(operation.at)
    case 'checkpoint':
      return isAmount(operation.accrued) && isAmount(operation.want)
    case 'settle':
      return (
        isAmount(operation.charge) &&
        isAmount(operation.priceId) &&
        isAmount(operation.at) &&
        Number.isSafeInteger(operation.channelId) &&
        Number.isSafeInteger(operation.userId) &&
        Number.isSafeInteger(operation.tokenId)
      )
    case 'void':
    case 'recover':
      return true
  }
}

/**
 * Returns the fault of an operation with invalid numbers. SQLite would store NaN as null and fail the whole batch at
 * 1.5, so that neither may reach it.
 */
export const validateOperation = (operation: LedgerOperation): Fault | undefined => {
  if (Number.isSafeInteger(operation.id) && operation.id > 0 && isValid(operation)) return
  const { kind, id } = operation
  return new Fault('server.failed', { detail: `invalid ${kind} operation: ${id}` })
}
