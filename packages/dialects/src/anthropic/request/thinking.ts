import type { ChatRequest, Reasoning } from '../../canon.ts'
import type { EncodeRequestOptions } from '../../dialect.ts'
import type { Json } from '../../json/json.ts'
import { ownFields } from '../../unknown-fields.ts'
import type { WarningCollector } from '../../warnings.ts'
import { type ClaudeFeatures, featuresOf } from '../models.ts'

const dialectId = 'anthropic'

/** Returns canon's reasoning settings and keeps the original fields for an upstream of this dialect. */
export const decodeThinking = (body: Json): Reasoning | undefined => {
  const { thinking, output_config } = body
  const effort = output_config?.effort
  if (!thinking && typeof effort !== 'string') return undefined
  const reasoning: Reasoning = { unknownFields: { dialect: dialectId, fields: {} } }
  const fields = reasoning.unknownFields!.fields
  if (typeof effort === 'string') {
    reasoning.effort = effort
    fields.effort = effort
  }
  if (!thinking) return reasoning
  fields.thinking = thinking
  const { type, budget_tokens, display } = thinking
  if (type === 'enabled' || type === 'adaptive' || type === 'disabled') reasoning.mode = type
  if (typeof budget_tokens === 'number') reasoning.budget = budget_tokens
  if (display === 'summarized') reasoning.summary = 'auto'
  if (display === 'omitted') reasoning.summary = 'none'
  return reasoning
}

/** The vendor's minimum budget, and the output tokens left for the answer. */
const budgetMin = 1_024
const answerMin = 256
const budgetShare = 0.8

/** Thinking budget as a share of the output limit, with the values of the original One Hub. */
const effortShares: Readonly<Record<string, number>> = { minimal: 0.2, low: 0.2, medium: 0.5 }

/** Requires `body` with messages, max_tokens and tool_choice already set. */
export const encodeThinking = (
  request: ChatRequest,
  options: EncodeRequestOptions,
  body: Json,
  warnings: WarningCollector,
): void => {
  const { reasoning } = request
  if (!reasoning) return
  const fields = ownFields(reasoning.unknownFields, dialectId)
  if (fields) {
    if (fields.thinking) body.thinking = fields.thinking
    if (fields.effort !== undefined) body.output_config = { effort: fields.effort }
    return
  }
  warnings.warnForeignFields(reasoning.unknownFields)
  const ability = featuresOf(request.model)
  const { mode, effort, budget } = reasoning
  const isOff = mode === 'disabled' || effort === 'none' || (budget === 0 && mode === undefined)
  if (isOff) {
    if (ability.thinkingBudget) body.thinking = { type: 'disabled' }
    return
  }
  const conflict = ability.thinkingBudget ? conflictIn(body, ability) : 'model'
  if (conflict) warnings.warnDropped(`reasoning (${conflict})`)
  else if (ability.adaptiveThinking) encodeAdaptive(reasoning, ability, body, warnings)
  else encodeBudget(reasoning, options, body, warnings)
}

/** Names the part of the request that the vendor refuses together with a thinking budget. */
const conflictIn = (body: Json, { adaptiveThinking }: ClaudeFeatures): string | undefined => {
  if (adaptiveThinking) return undefined
  const { type } = body.tool_choice ?? {}
  if (type === 'any' || type === 'tool') return 'tool_choice'
  const last = body.messages.at(-1)
  if (last?.role === 'assistant') return 'the last message'
  // A turn that continues after tool results must start with its original thinking block.
  const turn = body.messages.findLast((each: Json) => each.role === 'assistant')
  const isInToolLoop = last?.content?.[0]?.type === 'tool_result'
  const firstType = turn?.content?.[0]?.type
  const hasThoughts = firstType === 'thinking' || firstType === 'redacted_thinking'
  return isInToolLoop && !hasThoughts ? 'no signed thoughts' : undefined
}

const efforts: Readonly<Record<string, string>> = { minimal: 'low' }

const encodeAdaptive = (
  { effort, budget, summary }: Reasoning,
  { rejectsSampling }: ClaudeFeatures,
  body: Json,
  warnings: WarningCollector,
): void => {
  body.thinking = { type: 'adaptive' }
  // The newest models omit the thinking text by default.
  if (summary === 'none') body.thinking.display = 'omitted'
  else if (rejectsSampling) body.thinking.display = 'summarized'
  const level = effort === undefined ? undefined : (efforts[effort] ?? effort)
  if (level !== undefined)
    body.output_config = { effort: level === 'xhigh' && !rejectsSampling ? 'high' : level }
  else if (budget !== undefined && budget > 0) warnings.warnDropped('reasoning.budget')
}

const encodeBudget = (
  { effort, budget }: Reasoning,
  options: EncodeRequestOptions,
  body: Json,
  warnings: WarningCollector,
): void => {
  const share =
    effort === undefined
      ? (options.thinkingBudgetShare ?? budgetShare)
      : (effortShares[effort] ?? budgetShare)
  const requested =
    budget !== undefined && budget > 0 ? budget : Math.floor(share * body.max_tokens)
  const budget_tokens = Math.max(budgetMin, requested)
  if (body.max_tokens <= budget_tokens) body.max_tokens = budget_tokens + answerMin
  body.thinking = { type: 'enabled', budget_tokens }
  for (const name of ['temperature', 'top_k', 'top_p'] as const)
    if (body[name] !== undefined && body[name] !== 1) {
      delete body[name]
      warnings.warnDropped(name)
    }
}
