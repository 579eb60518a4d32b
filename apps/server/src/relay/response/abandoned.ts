import type { App } from '../../core/app.ts'
import type { Attempt, CallContext } from '../context.ts'
import { makeCallResult } from './finalize.ts'

/**
 * Charges the prompt of a call that its caller abandoned before the first byte, once the upstream has the request and the
 * user abandons more calls than the setting allows. A hold that is settled already stays as it is.
 */
export const chargeAbandoned = async (
  app: App,
  context: CallContext,
  attempt: Attempt,
): Promise<void> => {
  if (context.aborted !== 'caller-left' || !context.isUpstreamRequestSent) return
  const { AbandonedCallsPerMinute: limit } = app.settings().money
  const { ok } = await app.state.count(`abandoned:${context.caller.userId}`, 60, limit)
  if (ok) return
  const outcome = { reported: undefined, estimatedOutputTokens: 0, finish: 'caller-left' } as const
  await context.hold.settle(makeCallResult(app, context, attempt, outcome))
}
