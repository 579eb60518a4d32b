import type { PriceChange } from '@hub/contract'

const limitPercent = 50

/** A change by more than half, or from or to zero, which an administrator has to confirm. */
export const isLargeChange = (change: PriceChange): boolean => {
  if (change.kind !== 'change') return false
  const moves = [change.input_percent, change.output_percent]
  return moves.some(percent => percent === null || Math.abs(percent) > limitPercent)
}
