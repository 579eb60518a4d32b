import type { Usage } from '@hub/dialects'
import { billOf } from '../../channels/channel.ts'
import type { Attempt, CallContext } from '../../context.ts'
import { estimateUsage } from '../estimate-usage.ts'

/** The part of an answer that was seen before it failed. */
export type SeenAnswer = {
  /** The vendor's figures, as far as it told them. */
  reported: Usage | 'broken' | undefined
  /** The gateway's count of the output. */
  metered: number
  /** The figures are those of the whole answer. */
  isFinal: boolean
}

/**
 * Notes what the vendor may bill for an attempt that leaves its call without an answer, once it was sent the request. A
 * refusal with an error status costs nothing at any vendor.
 */
export const noteUnanswered = (
  { abort, upstream, record, hold, parsed }: CallContext,
  { channel, upstreamModel, billedModel }: Attempt,
  { reported, metered, isFinal }: SeenAnswer = nothingSeen,
): void => {
  if (!upstream.isSent) return
  // The row of a charged call has the cost of the attempt that is charged. The loser of a hedged start is never charged.
  if (record.isCharged && abort.reason !== 'hedge-lost') return
  const isReported = typeof reported === 'object'
  hold.noteAttempt({
    model: billedModel,
    channelId: channel.id,
    bill: billOf(channel, { upstreamModel }),
    usage: isReported ? reported : estimateUsage(parsed, metered),
    estimated: !isReported || !isFinal,
  })
}

const nothingSeen: SeenAnswer = { reported: undefined, metered: 0, isFinal: false }
