import { featuresOf } from '../anthropic/models.ts'
import { encodeThinking as encodeClaude } from '../anthropic/request/thinking.ts'
import type { Reasoning } from '../canon.ts'
import { encodeThinking as encodeGemini } from '../gemini/request/index.ts'
import type { Json } from '../json/json.ts'
import type { Edits, EffortLevel } from '../parsed-request.ts'
import { warningCollector } from '../warnings.ts'

/** The fields that tell a vendor the effort, or why its model cannot have it. */
export type Thinking = { edits: Edits } | { refusal: string }

const reasoningOf = (level: EffortLevel): Reasoning => {
  if (level === 'on') return { mode: 'adaptive' }
  return level === 'off' ? { mode: 'disabled' } : { effort: level }
}

/** The vendor's smallest budget, and the tokens that are left for the answer. */
const thoughtMin = 1_024
const answerMin = 256

/** The encoder may change these. The limit of the answer is the caller’s, and stays. */
const claudeFields = ['thinking', 'output_config', 'temperature', 'top_p', 'top_k'] as const

/** The fields of Messages for a model of Claude, or of a vendor that serves its own model in this dialect. */
export const claudeThinking = (
  body: Json,
  model: string,
  { level, budgetShare }: { level: EffortLevel; budgetShare?: number | undefined },
): Thinking => {
  const { thinking: _, output_config, ...sent } = body
  const { effort: _effort, ...otherOutput } = output_config ?? {}
  const { thinkingBudget, adaptiveThinking } = featuresOf(model)
  if (level !== 'off' && thinkingBudget && !adaptiveThinking) {
    if (sent.max_tokens < thoughtMin + answerMin)
      return { refusal: `thinking needs 'max_tokens' of at least ${thoughtMin + answerMin}` }
  }
  const limit = sent.max_tokens
  const warnings = warningCollector('anthropic')
  const options = budgetShare === undefined ? {} : { thinkingBudgetShare: budgetShare }
  encodeClaude({ model, messages: [], reasoning: reasoningOf(level) }, options, sent, warnings)
  const conflict = warnings.list.find(({ dropped }) => dropped.startsWith('reasoning ('))
  if (conflict?.dropped === 'reasoning (model)') return { refusal: 'it does not think' }
  if (conflict) return { refusal: `the request cannot have it: ${conflict.dropped}` }
  // The limit is the caller's, and held: the thoughts have room below it.
  if (sent.thinking?.budget_tokens > limit - answerMin)
    sent.thinking.budget_tokens = limit - answerMin
  if (Object.keys(otherOutput).length > 0)
    sent.output_config = { ...otherOutput, ...sent.output_config }
  const edits: Edits = {}
  for (const each of claudeFields)
    if (JSON.stringify(sent[each]) !== JSON.stringify(body[each])) edits[each] = sent[each]
  return { edits }
}

const thinkingGemini = /gemini-(2\.5|[3-9]|flash|pro)|^(?!.*gemini)/

/** The `generationConfig` for a model of Gemini, with the fields that the request has in it. */
export const geminiThinking = (body: Json, model: string, level: EffortLevel): Thinking => {
  const field = body.generation_config ? 'generation_config' : 'generationConfig'
  const { thinkingConfig, thinking_config, ...config } = body[field] ?? {}
  const { thinkingBudget, thinkingLevel, thinking_budget, thinking_level, ...kept } =
    thinkingConfig ?? thinking_config ?? {}
  const write = (thinking: Json): Thinking => {
    const all = { ...config, ...(thinking ? { thinkingConfig: thinking } : {}) }
    return { edits: { [field]: Object.keys(all).length > 0 ? all : undefined } }
  }
  if (!thinkingGemini.test(model))
    return level === 'off' ? write(undefined) : { refusal: 'it does not think' }
  const thinking = encodeGemini(reasoningOf(level), model, warningCollector('gemini'))
  return write({ ...kept, ...thinking })
}
