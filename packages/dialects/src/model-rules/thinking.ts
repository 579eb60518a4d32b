import type { ChatRequest, Reasoning } from '../canon.ts'
import type { DialectId } from '../dialect-id.ts'
import type { Change } from './fields.ts'
import { nearestEffort, type RulesOfModel } from './rule.ts'

/** A change, or the reason for which the request cannot be met. */
export type ThinkingChange = Change & { refused?: 'thinking-off' | 'forced-tools' }

/** A forced tool turned thinking off, so that an effort in the model's name is not written either. */
export const forcedToolNote = 'reasoning (tool_choice)'

const isOff = ({ mode, effort, budget }: Reasoning): boolean =>
  mode === 'disabled' || effort === 'none' || (budget === 0 && mode === undefined)

const isRequested = ({ mode, effort, budget }: Reasoning): boolean =>
  mode !== undefined || effort !== undefined || budget !== undefined

/** True where the model will think, as far as the rules tell. */
export const thinks = (
  { reasoning }: Pick<ChatRequest, 'reasoning'>,
  rules: RulesOfModel,
): boolean => {
  if (reasoning && isOff(reasoning)) return rules.thinking !== undefined && !rules.thinking.off
  return (reasoning !== undefined && isRequested(reasoning)) || rules.thinking?.byDefault === true
}

export const isForced = ({ toolChoice, tools = [] }: ChatRequest): boolean =>
  tools.length > 0 &&
  (toolChoice?.type === 'required' ||
    toolChoice?.type === 'tool' ||
    (toolChoice?.type === 'allowed' && toolChoice.mode === 'required'))

/** Bends thinking to the model's rules. A forced tool counts before thoughts that can be left out. */
export const changeThinking = (
  request: ChatRequest,
  rules: RulesOfModel,
  dialect: DialectId,
): ThinkingChange => {
  const forced = rules['forced-tools']
  if (forced && isForced(request)) {
    const { thinking } = rules
    if (forced.while === 'always') return { fields: {}, notes: [], refused: 'forced-tools' }
    if (thinks(request, rules)) {
      if (thinking && !thinking.off) return { fields: {}, notes: [], refused: 'forced-tools' }
      return { fields: { reasoning: offFor(rules, dialect) }, notes: [forcedToolNote] }
    }
  }
  const { reasoning } = request
  if (!reasoning) return { fields: {}, notes: [] }
  if (isOff(reasoning)) return turnOff(reasoning, rules, dialect)
  return isRequested(reasoning) ? fit(reasoning, rules, dialect) : { fields: {}, notes: [] }
}

const offFor = ({ thinking }: RulesOfModel, dialect: DialectId): Reasoning => {
  const off = thinking?.off ?? 'own'
  if (off === 'own') return { mode: 'disabled' }
  if (off === 'effort-none') return { effort: 'none' }
  return { mode: 'disabled', unknownFields: { dialect, fields: { ...off } } }
}

/** Effort `none` is refused where the model always thinks. Other ways to say it become the least thinking that it has. */
const turnOff = (reasoning: Reasoning, rules: RulesOfModel, dialect: DialectId): ThinkingChange => {
  const { thinking, efforts, budgets } = rules
  // A model that takes no effort and does not think is off already.
  if (!thinking)
    return { fields: efforts?.accepted.length === 0 ? { reasoning: undefined } : {}, notes: [] }
  if (thinking.off) return { fields: { reasoning: offFor(rules, dialect) }, notes: [] }
  if (reasoning.effort === 'none') return { fields: {}, notes: [], refused: 'thinking-off' }
  const least = efforts?.accepted[0]
  const { summary } = reasoning
  const lowest: Reasoning = {
    ...(least === undefined ? {} : { effort: least }),
    ...(least === undefined && budgets ? { budget: budgets.min } : {}),
    ...(summary === undefined ? {} : { summary }),
  }
  return { fields: { reasoning: lowest }, notes: ['reasoning off'] }
}

const fit = (reasoning: Reasoning, rules: RulesOfModel, dialect: DialectId): ThinkingChange => {
  const notes: string[] = []
  const fitted: Reasoning = { ...reasoning }
  const { effort, budget } = reasoning
  const { efforts, budgets, thinking } = rules
  if (efforts?.accepted.length === 0) {
    if (effort !== undefined) notes.push('reasoning.effort')
    if (effort === undefined && budget !== undefined) notes.push('reasoning.budget')
    return { fields: { reasoning: undefined }, notes }
  }
  const requested = effort ?? (dialect.startsWith('openai') ? effortOfBudget(budget) : undefined)
  if (efforts && requested !== undefined) {
    const accepted = nearestEffort(requested, efforts.accepted)
    if (accepted !== undefined && accepted !== effort) fitted.effort = accepted
    if (effort !== undefined && accepted !== effort) notes.push(`reasoning.effort ${effort}`)
  }
  if (budgets && budget !== undefined && budget > 0) {
    fitted.budget = Math.min(budgets.max, Math.max(budgets.min, budget))
    if (fitted.budget !== budget) notes.push('reasoning.budget')
  }
  if (thinking?.on) {
    fitted.mode = 'enabled'
    fitted.unknownFields = { dialect, fields: { ...thinking.on } }
    delete fitted.effort
    if (effort !== undefined) notes.push('reasoning.effort')
    if (budget !== undefined && budget > 0) notes.push('reasoning.budget')
  }
  return { fields: { reasoning: fitted }, notes }
}

/** The effort for a thinking budget, in dialects that have no other measure. */
export const effortOfBudget = (budget: number | undefined): string | undefined => {
  if (budget === undefined || budget <= 0) return undefined
  if (budget <= 4_096) return 'low'
  return budget <= 16_384 ? 'medium' : 'high'
}
