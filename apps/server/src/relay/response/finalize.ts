import {
  type AnswerIds,
  inputTokens,
  outputTokens,
  type ParsedRequest,
  type ToolCounts,
  type Usage,
} from '@hub/dialects'
import type { CallResult, Finish } from '../../billing/open-hold.ts'
import { priceCache } from '../../billing/price-cache.ts'
import type { App } from '../../core/app.ts'
import { billOf } from '../channels/channel.ts'
import { shownDigits } from '../channels/keys.ts'
import type { Attempt, CallContext } from '../context.ts'
import { chargedModes } from '../price-fields/charged-modes.ts'
import { unpricedPolicyOf } from '../price-fields/check-fields.ts'
import { countPromptOf } from '../prompt-count/prompt-of-call.ts'
import { samplePrompt } from '../prompt-count/sample.ts'
import { storedIds } from '../references/response-ids.ts'
import { estimateUsage, withTools } from './estimate-usage.ts'
import type { FailureCharge } from './failures/charge-failure.ts'
import { estimateHiddenReasoning, reasoningTerms, recordHiddenReasoning } from './left/estimate.ts'
import { forwardedUsage, type LeftAnswer } from './left/forwarded.ts'

/** The observed end of an answer. */
export type AnswerOutcome = {
  finish: Finish
  /** The caller left after the upstream's finish, and the end was read for its usage. */
  isEndRead?: boolean
  /** The upstream's own figures; `broken` when they are malformed, undefined when it sent none. */
  reported: Usage | 'broken' | undefined
  /** The gateway's estimate of the output tokens, those included that were read after the caller had left. */
  estimatedOutputTokens: number
  /** The part of them that is audio; absent where the answer has none. */
  audioTokens?: number | undefined
  /** The finished calls of tools of an answer that may end without its usage. */
  tools?: ToolCounts | undefined
  /** The answer when its caller left; absent where nothing can have been read after that. */
  left?: LeftAnswer | undefined
  /** The gateway's estimate of the reasoning that a caller who left did not see. */
  hiddenReasoning?: number
  /** The vendor's id of the response. */
  responseId?: string | undefined
  /** Reads the ids of its parts; absent where a vendor stores none. */
  answerIds?: (() => AnswerIds) | undefined
  warnings?: readonly string[]
}

/**
 * Makes the result that is charged: the upstream's figures of a whole answer if they are valid, else the gateway's
 * estimate. Counts an alarm for a complete response without valid usage, and for output above the requested maximum.
 */
export const makeCallResult = (
  app: App,
  context: CallContext,
  attempt: Attempt,
  outcome: AnswerOutcome,
): CallResult => {
  const { parsed } = context
  const { finish } = outcome
  const reported = believableUsage(parsed, outcome) ?? exactUsage(parsed, finish)
  const hasValidUsage = typeof reported === 'object'
  context.record.isCharged = true
  if (!hasValidUsage && finish === 'complete')
    app.metrics.alarms.inc({ kind: reported === 'broken' ? 'usage_broken' : 'usage_missing' })
  if (hasValidUsage && isOverLimit(parsed, reported)) app.metrics.alarms.inc({ kind: 'usage_over' })
  if (hasValidUsage && reported.cachedAbovePrompt) app.metrics.alarms.inc({ kind: 'usage_cached' })
  const { served, ...charged } = chargedUsage(app, context, attempt, { ...outcome, reported })
  const modes = modesOf(attempt, charged.usage)
  return {
    model: attempt.billedModel,
    requestedModel: context.record.requestedModel ?? parsed.model,
    channelId: attempt.channel.id,
    channelKey: servingKeyOf(attempt),
    attempts: context.record.failedAttempts,
    route: context.record.route,
    headersNotPassed: context.upstream.headersNotPassed,
    ...charged,
    countPrompt: isPromptReported(parsed, { ...outcome, reported })
      ? undefined
      : () => countPromptOf(app, context, attempt),
    usage: modes.length > 0 ? { ...charged.usage, modes } : charged.usage,
    allowsUnpricedModes: modes.length > 0 && unpricedPolicyOf(attempt.channel) === 'allow',
    isEndRead: outcome.isEndRead,
    channelPromptTokens: parsed.channelPromptTokens,
    finish,
    stream: parsed.stream,
    firstByteMs: Math.round((context.response.firstByteAt ?? app.monotonic()) - context.startedAt),
    phases: phasesOf(context),
    path: context.path,
    warnings: [...allWarnings(attempt, outcome), ...usageNotes(attempt, outcome)],
    bill: billOf(attempt.channel, {
      upstreamModel: attempt.upstreamModel,
      // The vendor's count is its bill, also where the caller left and is charged less.
      usage: served && (modes.length > 0 ? { ...served, modes } : served),
    }),
    ...storedIds(attempt, outcome),
  }
}

/** The vendor's count is charged, also where it came before the end of the answer. */
const isPromptReported = (
  { pricing, promptTokens }: ParsedRequest,
  { reported, finish, isEndRead }: AnswerOutcome,
): boolean => {
  if (promptTokens === 0) return true
  if (pricing?.unreported && !pricing.isPromptCounted) return true
  if (typeof reported !== 'object' || reported === pricing?.unreported) return false
  // Some report zeros at the start, and the prompt at the end.
  return finish === 'complete' || isEndRead === true || inputTokens(reported) > 0
}

/** The answer itself counts before its head. */
const modesOf = ({ channel, serving }: Attempt, { served }: Usage): readonly string[] => {
  const { requested, head } = serving
  return chargedModes(
    channel.provider,
    requested,
    head || served ? { ...head, ...served } : undefined,
  )
}

const phasesOf = ({ startedAt, upstream: { times } }: CallContext): CallResult['phases'] =>
  times && {
    sent: Math.round(times.sentAt - startedAt),
    connected: Math.round(times.connectedAt - startedAt),
    head: Math.round(times.headAt - startedAt),
  }

const servingKeyOf = ({ channel, key }: Attempt): CallResult['channelKey'] =>
  channel.storedKeys.length === 1
    ? undefined
    : { index: key.index, fingerprint: key.fingerprint.slice(0, shownDigits) }

/** The vendor reports no usage where the request alone decides the price. */
const exactUsage = ({ pricing }: ParsedRequest, finish: Finish): Usage | undefined =>
  pricing?.isExact && finish === 'complete' ? pricing.unreported : undefined

/** No output can not be true of a whole answer with text, unless the input alone has a price. */
const believableUsage = (
  { pricing }: ParsedRequest,
  { reported, estimatedOutputTokens, finish, isEndRead }: AnswerOutcome,
): AnswerOutcome['reported'] =>
  !pricing &&
  (finish === 'complete' || isEndRead) &&
  typeof reported === 'object' &&
  outputTokens(reported) === 0 &&
  estimatedOutputTokens > 0
    ? 'broken'
    : reported

type ChargedUsage = Pick<CallResult, 'usage' | 'estimated' | 'estimatedReasoning'> & {
  /** The vendor's count, where less is charged. */
  served?: Usage | undefined
}

const chargedUsage = (
  app: App,
  context: CallContext,
  attempt: Attempt,
  outcome: AnswerOutcome,
): ChargedUsage => {
  const { parsed } = context
  const { reported, estimatedOutputTokens: read, finish, isEndRead, left } = outcome
  if (typeof reported === 'object' && (finish === 'complete' || isEndRead)) {
    if (finish === 'complete') recordSample(app, context, attempt, outcome)
    samplePrompt(app, context, attempt, reported)
    const usage = left ? forwardedUsage({ reported, metered: read }, left) : reported
    const isLess = usage !== reported
    return { usage, estimated: isLess, served: isLess ? reported : undefined }
  }
  const delivered =
    left && isLaterReport(reported, left)
      ? forwardedUsage({ reported, metered: read }, left)
      : withTools(deliveredUsage(outcome, parsed), left ? left.tools : outcome.tools)
  const { hiddenReasoning: reasoning = 0 } = outcome
  if (reasoning === 0 || delivered.reasoning > 0)
    return { usage: delivered, estimated: delivered !== reported }
  return { usage: { ...delivered, reasoning }, estimated: true, estimatedReasoning: reasoning }
}

/** Figures that came after the caller had left are newer than those that were there. */
const isLaterReport = (reported: AnswerOutcome['reported'], left: LeftAnswer): reported is Usage =>
  typeof reported === 'object' &&
  (typeof left.reported !== 'object' || outputTokens(left.reported) !== outputTokens(reported))

const recordSample = (
  app: App,
  context: CallContext,
  attempt: Attempt,
  { reported, estimatedOutputTokens: metered }: AnswerOutcome,
): void => {
  const { parsed, upstream } = context
  if (!parsed.stream || parsed.pricing || typeof reported !== 'object' || !upstream.times) return
  recordHiddenReasoning(app, reasoningTerms(context, attempt), {
    reported: { reasoning: reported.reasoning, total: outputTokens(reported) },
    metered,
    seconds: (app.monotonic() - upstream.times.sentAt) / 1_000,
  })
}

/** Usage of an answer that was not read to its end: figures reported so far may be older than its last output. */
const deliveredUsage = (
  { reported, estimatedOutputTokens, audioTokens, left, finish }: AnswerOutcome,
  parsed: ParsedRequest,
): Usage => {
  const metered = left?.metered ?? estimatedOutputTokens
  if (typeof reported !== 'object') {
    const audio = left ? left.audio : audioTokens
    const isWhole = finish === 'complete' && parsed.pricing !== undefined
    const usage = estimateUsage(parsed, metered, isWhole ? undefined : audio)
    const prompt = finish === 'complete' ? undefined : parsed.pricing?.prompt
    return prompt ? { ...prompt, output: usage.output } : usage
  }
  const missing = metered - outputTokens(reported)
  return missing > 0 ? { ...reported, output: reported.output + missing } : reported
}

/** The result of a call whose caller left, with the reasoning that he may not have seen. */
export const makeLeftResult = async (
  app: App,
  context: CallContext,
  attempt: Attempt,
  outcome: AnswerOutcome,
): Promise<CallResult> => {
  context.record.isCharged = true
  const { parsed, upstream } = context
  const { left, isEndRead, reported } = outcome
  const isKnown = typeof reported === 'object' && (isEndRead || reported.reasoning > 0)
  if (parsed.pricing || isKnown) return makeCallResult(app, context, attempt, outcome)
  const since = upstream.times?.sentAt ?? context.startedAt
  const hiddenReasoning = await estimateHiddenReasoning(app, reasoningTerms(context, attempt), {
    tokens: left?.metered ?? 0,
    visibleReasoning: left?.visibleReasoning ?? 0,
    seconds: ((left?.at ?? app.monotonic()) - since) / 1_000,
  })
  return makeCallResult(app, context, attempt, { ...outcome, hiddenReasoning })
}

/**
 * Charges an answer before its end is sent. If the charge cannot be written and the caller has seen nothing, the caller
 * gets an error instead of the answer, and nothing is charged.
 */
export const settleAnswer = ({ hold, response, abort }: CallContext, result: CallResult) =>
  hold.settle(result, !response.stream.headersSent && abort.reason === undefined)

/** Charges a failure that is all of its answer before the caller gets it, or releases the hold where it is free. */
export const settleFailure = async (
  app: App,
  context: CallContext,
  attempt: Attempt,
  charge: FailureCharge | undefined,
): Promise<void> => {
  if (!charge) return void (await context.hold.release())
  const result = makeCallResult(app, context, attempt, { ...charge, finish: 'upstream-broke' })
  await settleAnswer(context, result)
}

/**
 * Charges a call that its caller left before he had a byte of it: from the upstream's first byte on like any that was left,
 * before that the prompt, once the upstream has the request and the user has abandoned as many points as the setting
 * allows. A hold that is settled already stays as it is.
 */
export const chargeAbandoned = async (
  app: App,
  context: CallContext,
  attempt: Attempt,
): Promise<void> => {
  if (context.abort.reason !== 'caller-left' || !context.upstream.isSent) return
  const outcome = { reported: undefined, estimatedOutputTokens: 0, finish: 'caller-left' } as const
  if (context.upstream.times?.hasBegun())
    return void (await context.hold.settle(await makeLeftResult(app, context, attempt, outcome)))
  if (await mayAbandon(app, context, attempt)) return
  await context.hold.settle(makeCallResult(app, context, attempt, outcome))
}

/** Says whether the prompt fits into the points that the user may still abandon in this minute. It is taken from them. */
const mayAbandon = async (
  app: App,
  { caller, parsed, requestId }: CallContext,
  { billedModel }: Attempt,
): Promise<boolean> => {
  const price = priceCache(app).find(billedModel, caller.group)
  const amount = price?.cost(estimateUsage(parsed, 0)) ?? 0
  const { AbandonedPointsPerMinute: limit } = app.settings().money
  const key = `abandoned:${caller.userId}`
  const points = { kind: 'sum', key, amount, limit, windowSeconds: 60 } as const
  return (await app.state.take(requestId, [points])).ok
}

const none: readonly string[] = []

const allWarnings = (
  { translation, notes }: Attempt,
  { warnings = none }: AnswerOutcome,
): readonly string[] => {
  if (!translation && !notes?.length) return warnings
  return [...(notes ?? none), ...(translation?.warnings ?? none), ...warnings]
}

/** Tokens of models that the vendor called by itself are charged at the price of the answering model. */
const usageNotes = (
  { upstreamModel, billedModel }: Attempt,
  { reported }: AnswerOutcome,
): readonly string[] => {
  if (typeof reported !== 'object') return none
  const { otherModels = none, cachedAbovePrompt: above } = reported
  if (otherModels.length === 0 && !above) return none
  const notes = otherModels
    .filter(each => each !== upstreamModel)
    .map(each => `gateway: tokens of ${each} charged as ${billedModel}`)
  if (above) notes.push(`gateway: ${above} cached tokens above the whole prompt are not charged`)
  return notes
}

/** True when the output exceeds the requested maximum. The figures still count: some vendors exclude reasoning tokens. */
const isOverLimit = ({ outputMax, n }: ParsedRequest, { output, reasoning }: Usage): boolean =>
  outputMax !== undefined && output + reasoning > outputMax * n
