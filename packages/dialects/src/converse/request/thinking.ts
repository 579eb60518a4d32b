import type { ChatRequest } from '../../canon.ts'
import type { Json } from '../../json.ts'
import type { Noting } from '../../notes.ts'
import { abilityOf } from '../models.ts'

const efforts: Readonly<Record<string, string>> = {
  minimal: 'low',
  low: 'low',
  medium: 'medium',
  high: 'high',
  xhigh: 'high',
  max: 'high',
}
/** A budget below this is little thinking. */
const littleMax = 4_096

/** `body` has its limits already. */
export const encodeThinking = (request: ChatRequest, body: Json, noting: Noting): void => {
  const { reasoning, model } = request
  if (!reasoning) return
  const { mode, effort, budget } = reasoning
  const { thinks } = abilityOf(model)
  const isOff = mode === 'disabled' || effort === 'none' || (budget === 0 && mode === undefined)
  if (isOff && thinks !== 'effort') return
  if (isOff || !thinks) {
    noting.drop('reasoning')
    return
  }
  if (effort === undefined && budget !== undefined) noting.drop('reasoning.budget')
  const wanted = effort ?? (budget !== undefined && budget < littleMax && budget > 0 ? 'low' : '')
  const level = efforts[wanted] ?? 'medium'
  if (thinks === 'effort') body.additionalModelRequestFields = { reasoning_effort: level }
  else encodeNova(level, body, noting)
}

/**
 * Nova thinks as hard as it can only where nothing limits its answer; a caller's limit on what it pays goes first.
 * https://docs.aws.amazon.com/nova/latest/nova2-userguide/extended-thinking.html
 */
const encodeNova = (level: string, body: Json, noting: Noting): void => {
  const { maxTokens, temperature, topP, ...rest } = body.inferenceConfig ?? {}
  const isLimited = level === 'high' && maxTokens !== undefined
  if (isLimited) noting.drop('reasoning.effort high')
  if (level === 'high' && !isLimited) {
    if (temperature !== undefined) noting.drop('temperature')
    if (topP !== undefined) noting.drop('top_p')
    body.inferenceConfig = rest
  }
  const reasoningConfig = { type: 'enabled', maxReasoningEffort: isLimited ? 'medium' : level }
  body.additionalModelRequestFields = { reasoningConfig }
}
