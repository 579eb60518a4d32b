import { outputTokens, type Usage } from '@hub/dialects'
import type { CallResult } from '../../billing/open-hold.ts'
import type { App } from '../../core/app.ts'
import type { Attempt, CallContext } from '../../relay/context.ts'
import {
  estimateHiddenReasoning,
  reasoningTerms,
  recordHiddenReasoning,
} from '../../relay/response/left/estimate.ts'

/** A response with its output by the gateway's count, and the time since the vendor began it. */
export type SeenResponse = {
  call: CallContext
  attempt: Attempt
  tokens: number
  seconds: number
}

/** Adds the reasoning that a caller who left did not see, where the vendor did not report it. */
export const withHiddenReasoning = async (
  app: App,
  { call, attempt, ...seen }: SeenResponse,
  result: CallResult | undefined,
): Promise<CallResult | undefined> => {
  if (!result?.estimated || result.usage.reasoning > 0) return result
  const terms = reasoningTerms(call, attempt)
  const reasoning = await estimateHiddenReasoning(app, terms, { ...seen, visibleReasoning: 0 })
  if (reasoning === 0) return result
  return { ...result, usage: { ...result.usage, reasoning }, estimatedReasoning: reasoning }
}

/** Records what a response hid, for callers who leave theirs. */
export const recordReasoning = (
  app: App,
  { call, attempt, tokens, seconds }: SeenResponse,
  usage: Usage,
): void =>
  recordHiddenReasoning(app, reasoningTerms(call, attempt), {
    reported: { reasoning: usage.reasoning, total: outputTokens(usage) },
    metered: tokens,
    seconds,
  })
