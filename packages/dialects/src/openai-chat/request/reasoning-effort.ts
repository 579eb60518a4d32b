import type { Reasoning } from '../../canon.ts'
import type { Json } from '../../json/json.ts'
import { effortOfBudget } from '../../model-rules/thinking.ts'
import { ownFields } from '../../unknown-fields.ts'
import type { WarningCollector } from '../../warnings.ts'

const dialectId = 'openai-chat'

/** Vendor fields besides `reasoning_effort`: OpenRouter's, Alibaba's, and Anthropic's as others adopted it. */
export const effortKeys = ['reasoning', 'enable_thinking', 'thinking_budget', 'thinking'] as const

/** Decodes the effort into canon, and keeps the fields unchanged for this dialect. */
export const decodeEffort = (body: Json): Reasoning | undefined => {
  const reasoning: Reasoning = {}
  const fields: Record<string, unknown> = {}
  for (const key of effortKeys)
    if (body[key] !== undefined && body[key] !== null) fields[key] = body[key]
  const { reasoning: unified, thinking } = body
  const effort = body.reasoning_effort ?? unified?.effort
  if (typeof effort === 'string') reasoning.effort = effort
  const budget = unified?.max_tokens ?? body.thinking_budget ?? thinking?.budget_tokens
  if (typeof budget === 'number') reasoning.budget = budget
  if (typeof unified?.summary === 'string') reasoning.summary = unified.summary
  if (unified?.exclude === true) reasoning.summary = 'none'
  const mode = thinking?.type
  if (mode === 'enabled' || mode === 'adaptive' || mode === 'disabled') reasoning.mode = mode
  else if (body.enable_thinking === false || unified?.enabled === false) reasoning.mode = 'disabled'
  else if (body.enable_thinking === true || unified?.enabled === true) reasoning.mode = 'enabled'
  for (const _ in fields) {
    reasoning.unknownFields = { dialect: dialectId, fields }
    break
  }
  for (const _ in reasoning) return reasoning
  return undefined
}

export const encodeEffort = (
  reasoning: Reasoning,
  body: Json,
  warnings: WarningCollector,
): void => {
  const { mode, effort, budget, summary, unknownFields } = reasoning
  const fields = ownFields(unknownFields, dialectId)
  if (fields) {
    Object.assign(body, fields)
    if (effort !== undefined && body.reasoning?.effort === undefined) body.reasoning_effort = effort
    return
  }
  warnings.warnForeignFields(unknownFields)
  if (summary !== undefined && summary !== 'none') warnings.warnDropped('reasoning.summary')
  if (effort !== undefined) body.reasoning_effort = effort
  else if (mode === 'disabled' || budget === 0) {
    if (mode === 'disabled') warnings.warnDropped('reasoning.mode')
    return
  } else if (budget !== undefined && budget > 0) body.reasoning_effort = effortOfBudget(budget)
  if (budget !== undefined && budget > 0) warnings.warnDropped('reasoning.budget')
}
