import { noUsage, type ParsedRequest, type Usage } from '@hub/dialects'
import type { CallResult, Finish } from '../../billing/open-hold.ts'
import type { App } from '../../core/app.ts'
import type { Attempt, CallContext } from '../context.ts'

/** Usage by the gateway's own count: the estimated prompt tokens and the output tokens that were delivered. */
export const estimateUsage = (
  { promptTokens }: Pick<ParsedRequest, 'promptTokens'>,
  outputTokens: number,
): Usage => {
  const usage = noUsage()
  usage.input = promptTokens
  usage.output = outputTokens
  return usage
}

/** The observed end of an answer. */
export type AnswerOutcome = {
  finish: Finish
  /** The upstream's own figures; `broken` when they are malformed, undefined when it sent none. */
  reported: Usage | 'broken' | undefined
  /** The gateway's estimate of the output tokens. */
  estimatedOutputTokens: number
  /** The vendor's id of the response. */
  responseId?: string | undefined
  warnings?: readonly string[]
}

/**
 * Makes the result that is charged: the upstream's figures if they are valid, else the gateway's estimate. Counts an alarm
 * for a complete response without valid usage, and for output above the requested maximum.
 */
export const makeCallResult = (
  app: App,
  context: CallContext,
  attempt: Attempt,
  outcome: AnswerOutcome,
): CallResult => {
  const { parsed } = context
  const { reported, estimatedOutputTokens, finish } = outcome
  const hasValidUsage = typeof reported === 'object'
  context.isCharged = true
  if (!hasValidUsage && finish === 'complete')
    app.metrics.alarms.inc({ kind: reported === 'broken' ? 'usage_broken' : 'usage_missing' })
  if (hasValidUsage && isOverLimit(parsed, reported)) app.metrics.alarms.inc({ kind: 'usage_over' })
  return {
    model: attempt.billedModel,
    requestedModel: parsed.model,
    channelId: attempt.channel.id,
    usage: hasValidUsage ? reported : estimateUsage(parsed, estimatedOutputTokens),
    estimated: !hasValidUsage,
    finish,
    stream: parsed.stream,
    firstByteMs: Math.round((context.firstByteAt ?? app.monotonic()) - context.startedAt),
    warnings: allWarnings(attempt, outcome),
    ...storedFields(attempt, outcome.responseId),
  }
}

const none: readonly string[] = []

const allWarnings = (
  { translation }: Attempt,
  { warnings = none }: AnswerOutcome,
): readonly string[] => {
  if (!translation) return warnings
  return warnings.length === 0 ? translation.warnings : [...translation.warnings, ...warnings]
}

/** True when the output exceeds the requested maximum. The figures still count: some vendors exclude reasoning tokens. */
const isOverLimit = ({ outputMax, n }: ParsedRequest, { output, reasoning }: Usage): boolean =>
  outputMax !== undefined && output + reasoning > outputMax * n

/** Ids that are safe in a URL path and fit the database column. */
const idPattern = /^\w[\w.:-]{0,199}$/

export const isResponseId = (text: string): boolean => idPattern.test(text)

/** The ids by which the caller may ask for the stored response again. */
const storedFields = (
  { storedBy }: Attempt,
  responseId: string | undefined,
): Pick<CallResult, 'stored'> => {
  if (!storedBy || responseId === undefined) return {}
  const { credential, conversation } = storedBy
  const ids = conversation === undefined ? [responseId] : [responseId, conversation]
  return { stored: { ids: ids.filter(isResponseId), credential } }
}
