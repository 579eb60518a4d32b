import { Fault } from '@hub/contract'
import type { Operation } from '../operations.ts'

const amount = (value: number) => Number.isSafeInteger(value) && value >= 0

const isSound = (operation: Operation): boolean => {
  switch (operation.kind) {
    case 'hold':
      return amount(operation.amount) && amount(operation.priceId) && amount(operation.at)
    case 'checkpoint':
      return amount(operation.accrued) && amount(operation.want)
    case 'settle':
      return (
        amount(operation.charge) &&
        amount(operation.priceId) &&
        amount(operation.at) &&
        Number.isSafeInteger(operation.channelId) &&
        Number.isSafeInteger(operation.userId) &&
        Number.isSafeInteger(operation.tokenId)
      )
    case 'void':
    case 'recover':
      return true
  }
}

/** SQLite would write NaN as null and 1.5 as an error of the whole batch: neither gets as far. */
export const unsound = (operation: Operation): Fault | undefined => {
  if (Number.isSafeInteger(operation.id) && operation.id > 0 && isSound(operation)) return
  const { kind, id } = operation
  return new Fault('server.failed', { detail: `not a sound ${kind} operation: ${id}` })
}
