import type { EffortLevel, Json } from '@hub/dialects'

/** The fields that tell a vendor the effort, or the reason why its model cannot have it. */
export type EffortFields = Json | string

/** How models of a vendor are told the effort. The first rule that fits counts. */
export type EffortRule = {
  /** Absent: every model. */
  onlyModels?: RegExp
  /** In a chat request. */
  fields(level: EffortLevel, model: string): EffortFields
  /** The names of efforts in the format of Messages; absent for a budget of tokens. */
  messageEffort?: EffortNames
}

/** The vendor's own names of efforts. A level without one goes by its own. */
export type EffortNames = Partial<Record<EffortLevel, string>>

export const alwaysThinks = 'it always thinks'
export const neverThinks = 'it does not think'
export const hasNoLevels = 'it has no levels of effort'

/** A model that always thinks, and takes no field about it. */
const fixed: EffortRule['fields'] = level => {
  if (level === 'off') return alwaysThinks
  return level === 'on' ? {} : hasNoLevels
}

/** Names of models that think whatever they are told, at every vendor. */
const thinkers =
  /(^|[/.-])(qwq|qvq|magistral|deepseek-r1|deepseek-reasoner)|-thinking($|-\d)|minimax-m[12](?!\d)/i

export const thinkerRule = (onlyModels: RegExp = thinkers): EffortRule => ({
  onlyModels,
  fields: fixed,
})

export const plainRule = (onlyModels: RegExp): EffortRule => ({
  onlyModels,
  fields: level => (level === 'off' ? {} : neverThinks),
})

/** `thinking: {type}`: a switch, so that every level switches on. */
export const byType =
  (on: 'enabled' | 'adaptive' = 'enabled'): EffortRule['fields'] =>
  level => ({ thinking: { type: level === 'off' ? 'disabled' : on } })

const budgets: Readonly<EffortNumbers> = {
  ...{ minimal: 1_024, low: 4_096, medium: 8_192, high: 24_576, xhigh: 32_768 },
}
type EffortNumbers = Partial<Record<EffortLevel, number>>

export const isLevel = (level: EffortLevel): boolean => budgets[level] !== undefined

export const bySwitch: EffortRule['fields'] = level => ({ enable_thinking: level !== 'off' })

export const byBudget: EffortRule['fields'] = level => {
  const thinking_budget = budgets[level]
  return { enable_thinking: level !== 'off', ...(thinking_budget ? { thinking_budget } : {}) }
}

/** As `byBudget` for models of which some always think. */
export const byBudgetRules: readonly EffortRule[] = [
  {
    onlyModels: thinkers,
    fields: level => (level === 'off' ? alwaysThinks : byBudget(level, '')),
  },
  { fields: byBudget },
]

/** `reasoning_effort` by the vendor's own names. */
export const byName =
  (names: EffortNames): EffortRule['fields'] =>
  level => ({ reasoning_effort: names[level] ?? level })

export const commonNames: EffortNames = { on: 'medium', off: 'none' }
/** For vendors with three efforts. */
export const threeNames: EffortNames = { minimal: 'low', xhigh: 'high' }

/** As `byName` for a model that always thinks. */
export const alwaysByName =
  (names: EffortNames): EffortRule['fields'] =>
  level =>
    level === 'off' ? alwaysThinks : byName({ on: 'medium', ...names })(level, '')

const openWeights = alwaysByName(threeNames)

/** Models at vendors without rules of effort are sent the common names, as far as the rules of models accept them. */
export const commonRule: EffortRule = {
  fields: (level, model) =>
    (/gpt-oss/.test(model) ? openWeights : byName(commonNames))(level, model),
}
