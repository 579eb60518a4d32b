import { Fault } from '@hub/contract'
import type { Priced } from '../book.ts'
import type { Reservation } from '../held.ts'
import { isCount } from '../price.ts'
import { noUsage } from '../usage.ts'

/**
 * Output tokens that are reserved when the caller gave no limit, and the most that is reserved for a stream at first: a
 * stream extends its reservation as it goes, so that a client which always allows 64,000 tokens does not lock up a
 * balance it will not use. A whole answer cannot extend, so the caller's own limit is reserved.
 */
const outputDefault = 4096

/** Cautious and cheap: what the call will most likely not exceed, at one price. Throws on numbers out of bounds. */
export const estimate = (priced: Priced, reservation: Reservation, preConsumed: number): number => {
  const { promptTokens, outputMax, n, stream } = reservation
  const each = stream ? Math.min(outputMax ?? outputDefault, outputDefault) : outputMax
  const output = (each ?? outputDefault) * n
  if (!isCount(promptTokens) || !isCount(outputMax ?? 0) || !isCount(n) || !isCount(output))
    throw new Fault('request.invalid', { hint: 'A number of tokens or answers is out of bounds.' })
  if (priced.isFree) return 0
  const usage = noUsage()
  usage.input = promptTokens
  if (priced.type === 'times') return priced.cost(usage)
  usage.output = output
  const words = priced.cost(usage)
  usage.output = 0
  usage.reasoning = output
  // Some models sell thoughts dearer than words, and the caller's limit covers both.
  const cost = Math.max(words, priced.cost(usage))
  return Math.min(cost + preConsumed, Number.MAX_SAFE_INTEGER)
}
