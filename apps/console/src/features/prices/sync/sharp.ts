import type { PriceChange } from '@hub/contract'

const limitPercent = 50

/** A price that moves by more than half, goes to nothing, or comes from nothing: somebody should look at it. */
export const isSharp = (change: PriceChange): boolean => {
  if (change.kind !== 'change') return false
  const moves = [change.input_percent, change.output_percent]
  return moves.some(percent => percent === null || Math.abs(percent) > limitPercent)
}
