import {
  claudeThinking,
  type Edits,
  type EffortLevel,
  type FormatId,
  geminiThinking,
  type Json,
  nearestEffort,
  type RequestBytes,
  type RulesOfModel,
  type Thinking,
} from '@hub/dialects'
import type { Endpoint } from './define.ts'
import {
  alwaysThinks,
  commonRule,
  type EffortFields,
  type EffortRule,
  hasNoLevels,
  isLevel,
  neverThinks,
} from './effort-rules.ts'
import { modelRulesOf } from './model-rules.ts'

type RuledEndpoint = Pick<Endpoint, 'modelRules' | 'dialect'>

export type EffortTarget = {
  /** The provider's own; absent: the common one. */
  rules?: readonly EffortRule[] | undefined
  endpoint: RuledEndpoint
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

/** Why the rules of the model forbid an effort, which the fields of its vendor cannot change. */
const forbiddenBy = ({ thinking, efforts }: RulesOfModel, level: EffortLevel) => {
  const isAlways = thinking !== undefined && !thinking.off
  if (level === 'off') return isAlways ? alwaysThinks : undefined
  if (efforts?.accepted.length !== 0) return undefined
  if (!thinking) return neverThinks
  return isLevel(level) ? hasNoLevels : undefined
}

/** Tells a caller why a model cannot have the effort that its name asks for. */
export const effortRefusal = (level: EffortLevel, reason: string): string =>
  `The model cannot be called ${level === 'off' ? 'without thinking' : 'with this effort'}: ${reason}.`

/** The refusal that the rules of the model demand, known before the request is written for its vendor. */
export const ruledEffortRefusal = (
  endpoint: RuledEndpoint,
  model: string,
  level: EffortLevel,
): string | undefined => {
  const reason = forbiddenBy(modelRulesOf(endpoint, model), level)
  return reason === undefined ? undefined : effortRefusal(level, reason)
}

const nearest = (effort: string, { efforts }: RulesOfModel): string =>
  (efforts && nearestEffort(effort, efforts.accepted)) ?? effort

/** The effort that the rules accept, so that vendors' names are looked up for this one. */
const acceptedLevel = (level: EffortLevel, rules: RulesOfModel): EffortLevel => {
  const accepted = nearest(level, rules) as EffortLevel
  return isLevel(level) && isLevel(accepted) ? accepted : level
}

/** The vendor's fields, with an effort that the rules accept. */
const ruledFields = (fields: Json, rules: RulesOfModel): Json => {
  if (rules.efforts?.accepted.length === 0) return {}
  const { reasoning_effort } = fields
  if (reasoning_effort === undefined) return fields
  return { ...fields, reasoning_effort: nearest(reasoning_effort, rules) }
}

/** The fields by which a request about to leave tells its vendor the effort, or why the model cannot have it. */
export const effortEdits = (request: RequestBytes, target: EffortTarget): Thinking => {
  const { rules: table = [], endpoint, model, dialect } = target
  const rules = modelRulesOf(endpoint, model)
  const forbidden = forbiddenBy(rules, target.level)
  if (forbidden !== undefined) return { refusal: forbidden }
  const level = acceptedLevel(target.level, rules)
  if (dialect === 'gemini') return geminiThinking(bodyOf(request), model, level)
  const rule = table.find(({ onlyModels }) => onlyModels?.test(model) ?? true) ?? commonRule
  const named: EffortFields = rule.fields(level, model)
  if (typeof named === 'string') return { refusal: named }
  const fields = ruledFields(named, rules)
  if (dialect === 'anthropic') {
    const { messageEffort } = rule
    if (messageEffort && isLevel(level))
      return { edits: namedInMessages(request, messageEffort[level] ?? level) }
    const thinking = claudeThinking(bodyOf(request), model, { ...target, level })
    const off = rules.thinking?.off
    // Some models of Claude have another word than `disabled`.
    if (level === 'off' && 'edits' in thinking && typeof off === 'object' && off.thinking)
      thinking.edits.thinking = off.thinking
    return thinking
  }
  if (dialect === 'openai-responses')
    return { edits: responsesEdits(request, fields, level, rules) }
  // Formats of one vendor were written with the effort in them.
  if (dialect !== 'openai-chat') return { edits: {} }
  const edits: Edits = { ...withoutWords(request), ...fields }
  if (fields.reasoning) edits.reasoning = { ...given(request, 'reasoning'), ...fields.reasoning }
  return { edits }
}

const chatWords = ['reasoning_effort', 'thinking', 'enable_thinking', 'thinking_budget'] as const

/** A caller's own words leave no effort to write, so those in the request are of its translation. */
const withoutWords = ({ fieldRanges }: RequestBytes): Edits => {
  const edits: Edits = {}
  for (const each of chatWords) if (fieldRanges.has(each)) edits[each] = undefined
  return edits
}

const bodyOf = ({ body }: RequestBytes): Json => JSON.parse(body.toString())

const namedInMessages = (request: RequestBytes, effort: string): Edits => ({
  thinking: { type: 'enabled' },
  output_config: { ...given(request, 'output_config'), effort },
})

/** Responses name the effort as the vendor's chat does; a vendor whose chat has a switch takes the common names. */
const responsesEdits = (
  request: RequestBytes,
  fields: Json,
  level: EffortLevel,
  rules: RulesOfModel,
): Edits => {
  const { effort: _, ...rest } = given(request, 'reasoning') ?? {}
  const common = level === 'on' ? 'medium' : level === 'off' ? 'none' : level
  const named = fields.reasoning_effort ?? fields.reasoning?.effort
  const effort = named ?? (Object.keys(fields).length > 0 ? nearest(common, rules) : undefined)
  const reasoning = effort === undefined ? rest : { ...rest, effort }
  return { reasoning: Object.keys(reasoning).length > 0 ? reasoning : undefined }
}
