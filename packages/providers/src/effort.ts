import {
  claudeThinking,
  type Edits,
  type EffortLevel,
  type FormatId,
  geminiThinking,
  type Json,
  type RequestBytes,
  type Thinking,
} from '@hub/dialects'
import { commonRule, type EffortRule, isLevel } from './effort-rules.ts'

export type EffortTarget = {
  /** The provider's own; absent: the common one. */
  rules?: readonly EffortRule[] | undefined
  /** The model as the vendor calls it. */
  model: string
  dialect: FormatId
  level: EffortLevel
  /** The share of the output limit for the thoughts of Claude, if it takes a budget. */
  budgetShare?: number
}

const given = ({ body, fieldRanges }: RequestBytes, field: string): Json => {
  const range = fieldRanges.get(field)
  return range && JSON.parse(body.toString('utf8', range.start, range.end))
}

/** The fields by which a request about to leave tells its vendor the effort, or why the model cannot have it. */
export const effortEdits = (request: RequestBytes, target: EffortTarget): Thinking => {
  const { rules = [], model, dialect, level } = target
  if (dialect === 'gemini') return geminiThinking(bodyOf(request), model, level)
  const rule = rules.find(({ onlyModels }) => onlyModels?.test(model) ?? true) ?? commonRule
  const fields = rule.fields(level, model)
  if (typeof fields === 'string') return { refusal: fields }
  if (dialect === 'anthropic') {
    const { messageEffort } = rule
    if (messageEffort && isLevel(level))
      return { edits: namedInMessages(request, messageEffort[level] ?? level) }
    return claudeThinking(bodyOf(request), model, target)
  }
  if (dialect === 'openai-responses') return { edits: responsesEdits(request, fields, level) }
  // Formats of one vendor were written with the effort in them.
  if (dialect !== 'openai-chat') return { edits: {} }
  const edits: Edits = { reasoning_effort: undefined, ...fields }
  if (fields.reasoning) edits.reasoning = { ...given(request, 'reasoning'), ...fields.reasoning }
  return { edits }
}

const bodyOf = ({ body }: RequestBytes): Json => JSON.parse(body.toString())

const namedInMessages = (request: RequestBytes, effort: string): Edits => ({
  thinking: { type: 'enabled' },
  output_config: { ...given(request, 'output_config'), effort },
})

/** Responses name the effort as the vendor's chat does; a vendor whose chat has a switch takes the common names. */
const responsesEdits = (request: RequestBytes, fields: Json, level: EffortLevel): Edits => {
  const { effort: _, ...rest } = given(request, 'reasoning') ?? {}
  const common = level === 'on' ? 'medium' : level === 'off' ? 'none' : level
  const named = fields.reasoning_effort ?? fields.reasoning?.effort
  const effort = named ?? (Object.keys(fields).length > 0 ? common : undefined)
  const reasoning = effort === undefined ? rest : { ...rest, effort }
  return { reasoning: Object.keys(reasoning).length > 0 ? reasoning : undefined }
}
