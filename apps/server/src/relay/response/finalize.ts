import { noUsage, type ParsedRequest, type Usage } from '@hub/dialects'
import type { CallResult, Finish } from '../../billing/open-hold.ts'
import type { App } from '../../core/app.ts'
import type { Attempt, CallContext } from '../context.ts'

/** Usage by the gateway's own count of what was delivered. */
export const estimateUsage = (
  { promptTokens }: Pick<ParsedRequest, 'promptTokens'>,
  output: number,
): Usage => {
  const usage = noUsage()
  usage.input = promptTokens
  usage.output = output
  return usage
}

/** The observed end of an answer. */
export type AnswerOutcome = {
  finish: Finish
  /** The upstream's own figures; `broken` where they cannot be believed. */
  reported: Usage | 'broken' | undefined
  /** Output tokens by the dialect's cheap meter. */
  metered: number
  /** The vendor's id of the response. */
  responseId?: string | undefined
  warnings?: readonly string[]
}

/** The result that is charged: the upstream's figures where they can be believed, else the gateway's count and an alarm. */
export const makeCallResult = (
  app: App,
  context: CallContext,
  attempt: Attempt,
  outcome: AnswerOutcome,
): CallResult => {
  const { parsed } = context
  const { reported, metered, finish } = outcome
  const isBelieved = typeof reported === 'object'
  if (!isBelieved && finish === 'complete')
    app.metrics.alarms.inc({ kind: reported === 'broken' ? 'usage_broken' : 'usage_missing' })
  if (isBelieved && isOverLimit(parsed, reported)) app.metrics.alarms.inc({ kind: 'usage_over' })
  return {
    model: attempt.billedModel,
    requestedModel: parsed.model,
    channelId: attempt.channel.id,
    usage: isBelieved ? reported : estimateUsage(parsed, metered),
    estimated: !isBelieved,
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

/** More output than the caller allowed may be right where a vendor does not count reasoning; it raises an alarm. */
const isOverLimit = ({ outputMax, n }: ParsedRequest, { output, reasoning }: Usage): boolean =>
  outputMax !== undefined && output + reasoning > outputMax * n

/** A vendor's id that can stand in a path and in a database. */
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
