import type { ChatRequest } from '../../canon.ts'
import type { Json } from '../../json/json.ts'
import type { WarningCollector } from '../../warnings.ts'
import { featuresOf } from '../models.ts'

const efforts: Readonly<Record<string, string>> = {
  minimal: 'low',
  low: 'low',
  medium: 'medium',
  high: 'high',
  xhigh: 'high',
  max: 'high',
}
/** Budgets below this become the effort `low`. */
const lowBudgetMax = 4_096

/** Requires `body` with its `inferenceConfig` already set. */
export const encodeThinking = (
  request: ChatRequest,
  body: Json,
  warnings: WarningCollector,
): void => {
  const { reasoning, model } = request
  if (!reasoning) return
  const { mode, effort, budget } = reasoning
  const { effortField } = featuresOf(model)
  const isOff = mode === 'disabled' || effort === 'none' || (budget === 0 && mode === undefined)
  if (isOff && effortField !== 'effort') return
  if (isOff || !effortField) {
    warnings.warnDropped('reasoning')
    return
  }
  if (effort === undefined && budget !== undefined) warnings.warnDropped('reasoning.budget')
  const requested =
    effort ?? (budget !== undefined && budget < lowBudgetMax && budget > 0 ? 'low' : '')
  const level = efforts[requested] ?? 'medium'
  if (effortField === 'effort') body.additionalModelRequestFields = { reasoning_effort: level }
  else encodeNova(level, body, warnings)
}

/**
 * Nova rejects the highest effort together with an output limit. The caller's limit wins, because it caps the cost.
 * https://docs.aws.amazon.com/nova/latest/nova2-userguide/extended-thinking.html
 */
const encodeNova = (level: string, body: Json, warnings: WarningCollector): void => {
  const { maxTokens, temperature, topP, ...rest } = body.inferenceConfig ?? {}
  const isLimited = level === 'high' && maxTokens !== undefined
  if (isLimited) warnings.warnDropped('reasoning.effort high')
  if (level === 'high' && !isLimited) {
    if (temperature !== undefined) warnings.warnDropped('temperature')
    if (topP !== undefined) warnings.warnDropped('top_p')
    body.inferenceConfig = rest
  }
  const reasoningConfig = { type: 'enabled', maxReasoningEffort: isLimited ? 'medium' : level }
  body.additionalModelRequestFields = { reasoningConfig }
}
