import { Fault } from '@hub/contract'
import type { LedgerOperation } from '../operations.ts'

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
