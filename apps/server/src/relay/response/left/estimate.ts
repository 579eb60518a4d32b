import { type ReasoningEffort, readReasoningEffort } from '@hub/dialects'
import { hidesThoughtsByDefault, modelArgumentEdits, modelRulesOf } from '@hub/providers'
import { typicalReasoning, unknownReasoning } from '../../../billing/prices/typical-reasoning.ts'
import type { App } from '../../../core/app.ts'
import { rulesAskReasoning } from '../../channels/asked-reasoning.ts'
import type { Attempt, CallContext } from '../../context.ts'
import { type ReasoningSample, reasoningSamples } from './samples.ts'

/** The terms by which hidden reasoning is estimated. They are stored with calls in the background. */
export type ReasoningTerms = ReasoningEffort & {
  model: string
  userId: number
  /** The model reasons unasked, by the provider's rules. */
  reasonsByDefault: boolean
  /** The most output tokens that the request allows, hidden ones included. */
  outputMax: number | undefined
}

export const reasoningTerms = (
  context: Pick<CallContext, 'caller' | 'parsed' | 'virtual'>,
  attempt: Attempt,
): ReasoningTerms => {
  const { caller, parsed } = context
  const { endpoint, upstreamModel, billedModel } = attempt
  return {
    ...effortThatLeft(context, attempt),
    model: billedModel,
    userId: caller.userId,
    reasonsByDefault: hidesThoughtsByDefault(endpoint, upstreamModel),
    outputMax: parsed.outputMax === undefined ? undefined : parsed.outputMax * parsed.n,
  }
}

const mayReason: ReasoningEffort = { request: 'on', level: 'on', budgetMax: undefined }

/** The effort that the vendor was asked for, by the request that left or by what an operator may have written into it. */
const effortThatLeft = (
  { parsed, virtual }: Pick<CallContext, 'parsed' | 'virtual'>,
  { channel, endpoint, translation, upstreamModel }: Attempt,
): ReasoningEffort => {
  const sent = translation?.parsed ?? parsed
  if (channel.asksReasoning) return mayReason
  if (virtual?.rules && rulesAskReasoning(virtual.rules)) return mayReason
  if (sent.modelSuffix !== undefined) {
    const edits = modelArgumentEdits(sent.modelSuffix, upstreamModel, endpoint.dialect, sent)
    if (Object.keys(edits).length > 0) return mayReason
  }
  const effort = readReasoningEffort(sent)
  if (effort.request === 'on') return effort
  // A format of one vendor may have fields of its own for it.
  const chosen = translation && effort.request === 'unset' ? readReasoningEffort(parsed) : effort
  if (chosen.request !== 'off') return chosen
  const { thinking } = modelRulesOf(endpoint, upstreamModel)
  return thinking && !thinking.off ? mayReason : chosen
}

/** An answer as it was seen when its caller left. */
export type SeenOutput = {
  /** Output tokens that were forwarded, visible reasoning included. */
  tokens: number
  visibleReasoning: number
  /** Since the request was sent. */
  seconds: number
}

/** Records the output tokens of a complete stream that its caller was charged for and could not see. */
export const recordHiddenReasoning = (
  app: App,
  terms: ReasoningTerms,
  seen: { reported: { reasoning: number; total: number }; metered: number; seconds: number },
): void => {
  if (terms.request === 'off') return
  const { reported, metered, seconds } = seen
  const hidden = Math.max(0, reported.total - metered)
  // Some vendors count reasoning as output only; without a request for it the difference may be our own count's error.
  const isCounted = reported.reasoning > 0 || terms.request === 'unset'
  const { model, level, userId } = terms
  reasoningSamples(app).add(
    { model, level },
    {
      user_id: userId,
      tokens: isCounted ? Math.min(hidden, reported.reasoning) : hidden,
      tokens_per_second: Math.round(reported.total / Math.max(seconds, 0.001)),
    },
  )
}

/** With so many calls of other users that hid nothing, a model is known to hide nothing. */
const knownFrom = 8

/** False where the effort is off, or the model is known to hide nothing. The caller's own calls say nothing. */
export const mayHideReasoning = async (app: App, terms: ReasoningTerms): Promise<boolean> => {
  if (terms.request === 'off') return false
  if (terms.reasonsByDefault || typicalReasoning(terms.model) !== undefined) return true
  const samples = await reasoningSamples(app).list(terms)
  const others = othersOf(samples, terms)
  return others.length < knownFrom || samples.some(each => each.tokens > 0)
}

/**
 * The reasoning that a call may have hidden until its caller left: the median of other users' calls of the model and effort,
 * else a figure of the shipped list. It is at least 1 where the model is known to reason, and never above what the
 * request allows, or what the model can have made in the time.
 */
export const estimateHiddenReasoning = async (
  app: App,
  terms: ReasoningTerms,
  seen: SeenOutput,
): Promise<number> => {
  if (terms.request === 'off') return 0
  const samples = await reasoningSamples(app).list(terms)
  const others = othersOf(samples, terms)
  const typical = others.length > 0 ? median(others) : listedReasoning(samples, terms, seen)
  const isKnown =
    terms.reasonsByDefault ||
    typicalReasoning(terms.model) !== undefined ||
    samples.some(each => each.tokens > 0)
  if (typical === 0 && !isKnown) return 0
  const bounded = Math.max(1, Math.min(typical, rateBound(others, seen)))
  const { budgetMax = Number.POSITIVE_INFINITY, outputMax = Number.POSITIVE_INFINITY } = terms
  return Math.max(0, Math.min(bounded, budgetMax, outputMax - seen.tokens))
}

const othersOf = (
  samples: readonly ReasoningSample[],
  { userId }: ReasoningTerms,
): ReasoningSample[] => samples.filter(each => each.user_id !== userId)

const median = (samples: readonly ReasoningSample[]): number =>
  samples.map(each => each.tokens).toSorted((one, other) => one - other)[samples.length >> 1]!

/** The caller's own calls may show that a model reasons, but not how much. */
const listedReasoning = (
  own: readonly ReasoningSample[],
  { model, request, reasonsByDefault }: ReasoningTerms,
  { visibleReasoning }: SeenOutput,
): number => {
  const listed = typicalReasoning(model)
  const mayReason = request === 'on' || reasonsByDefault || own.some(each => each.tokens > 0)
  if (listed === undefined && !mayReason) return 0
  return Math.max(0, (listed ?? unknownReasoning) - visibleReasoning)
}

/** Both times are measured here, so the network and a busy process are in them. */
const jitterSeconds = 0.1

/** The fastest call decides: a caller who reads slowly makes his own calls slow. */
const rateBound = (others: readonly ReasoningSample[], { seconds, tokens }: SeenOutput): number => {
  const rate = Math.max(0, ...others.map(each => each.tokens_per_second))
  return rate === 0
    ? Number.POSITIVE_INFINITY
    : Math.floor(rate * (seconds + jitterSeconds)) - tokens
}
