import type { ChatRequest, Reasoning } from '../../canon.ts'
import type { Aim } from '../../dialect.ts'
import { ownFields } from '../../extra.ts'
import type { Json } from '../../json.ts'
import type { Noting } from '../../notes.ts'
import { type Ability, abilityOf } from '../models.ts'

const own = 'anthropic'

/** Canon's words for it; and, for this dialect, the fields as they stood. */
export const decodeThinking = (body: Json): Reasoning | undefined => {
  const { thinking, output_config } = body
  const effort = output_config?.effort
  if (!thinking && typeof effort !== 'string') return undefined
  const reasoning: Reasoning = { extra: { dialect: own, fields: {} } }
  const fields = reasoning.extra!.fields
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

/** The vendor's least budget, and what an answer needs beside it. */
const budgetMin = 1_024
const answerMin = 256
const budgetShare = 0.8

/** Shares of the limit, as One Hub has them. */
const shares: Readonly<Record<string, number>> = { minimal: 0.2, low: 0.2, medium: 0.5 }

/** `body` has its messages, its limit and its tool choice already. */
export const encodeThinking = (
  request: ChatRequest,
  aim: Aim,
  body: Json,
  noting: Noting,
): void => {
  const { reasoning } = request
  if (!reasoning) return
  const fields = ownFields(reasoning.extra, own)
  if (fields) {
    if (fields.thinking) body.thinking = fields.thinking
    if (fields.effort !== undefined) body.output_config = { effort: fields.effort }
    return
  }
  noting.dropForeign(reasoning.extra)
  const ability = abilityOf(request.model)
  const { mode, effort, budget } = reasoning
  const isOff = mode === 'disabled' || effort === 'none' || (budget === 0 && mode === undefined)
  if (isOff) {
    if (ability.budget) body.thinking = { type: 'disabled' }
    return
  }
  const hindrance = ability.budget ? hindranceIn(body, ability) : 'model'
  if (hindrance) noting.drop(`reasoning (${hindrance})`)
  else if (ability.adaptive) encodeAdaptive(reasoning, ability, body, noting)
  else encodeBudget(reasoning, aim, body, noting)
}

/** What the vendor refuses beside thinking with a budget. */
const hindranceIn = (body: Json, { adaptive }: Ability): string | undefined => {
  if (adaptive) return undefined
  const { type } = body.tool_choice ?? {}
  if (type === 'any' || type === 'tool') return 'tool_choice'
  const last = body.messages.at(-1)
  if (last?.role === 'assistant') return 'the last message'
  // A turn that is under way must begin with the thoughts that it was begun with.
  const turn = body.messages.findLast((each: Json) => each.role === 'assistant')
  const isUnderWay = last?.content?.[0]?.type === 'tool_result'
  const begun = turn?.content?.[0]?.type
  const hasThoughts = begun === 'thinking' || begun === 'redacted_thinking'
  return isUnderWay && !hasThoughts ? 'no signed thoughts' : undefined
}

const efforts: Readonly<Record<string, string>> = { minimal: 'low' }

const encodeAdaptive = (
  { effort, budget, summary }: Reasoning,
  { isStrict }: Ability,
  body: Json,
  noting: Noting,
): void => {
  body.thinking = { type: 'adaptive' }
  // The newest models keep their thoughts to themselves unless asked.
  if (summary === 'none') body.thinking.display = 'omitted'
  else if (isStrict) body.thinking.display = 'summarized'
  const word = effort === undefined ? undefined : (efforts[effort] ?? effort)
  if (word !== undefined)
    body.output_config = { effort: word === 'xhigh' && !isStrict ? 'high' : word }
  else if (budget !== undefined && budget > 0) noting.drop('reasoning.budget')
}

const encodeBudget = (
  { effort, budget }: Reasoning,
  aim: Aim,
  body: Json,
  noting: Noting,
): void => {
  const share =
    effort === undefined ? (aim.budgetShare ?? budgetShare) : (shares[effort] ?? budgetShare)
  const wanted = budget !== undefined && budget > 0 ? budget : Math.floor(share * body.max_tokens)
  const budget_tokens = Math.max(budgetMin, wanted)
  if (body.max_tokens <= budget_tokens) body.max_tokens = budget_tokens + answerMin
  body.thinking = { type: 'enabled', budget_tokens }
  for (const name of ['temperature', 'top_k', 'top_p'] as const)
    if (body[name] !== undefined && body[name] !== 1) {
      delete body[name]
      noting.drop(name)
    }
}
