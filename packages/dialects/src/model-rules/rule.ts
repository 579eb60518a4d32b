import type { DialectId } from '../dialect-id.ts'

/** Efforts from the least to the most. */
export const effortOrder = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'] as const

export type SamplingField =
  | 'temperature'
  | 'topP'
  | 'topK'
  | 'n'
  | 'presencePenalty'
  | 'frequencyPenalty'
  | 'stop'
  | 'logprobs'

/** How a request turns thinking off: in the dialect's own way, as effort `none`, or by fields of the vendor's own. */
export type ThinkingSwitch = 'own' | 'effort-none' | Readonly<Record<string, unknown>>

/** How a content is empty: absent or null, '', [], a list of empty texts, or white space. */
export type EmptyContent = 'missing' | 'string' | 'list' | 'text' | 'blank'

/** A rule of a vendor. The request that leaves is changed to keep it, or refused where nothing equal exists. */
export type Rule =
  /** Characters of ids that callers choose. Longer ones are replaced by a stable short one. */
  | { kind: 'lengths'; user?: number; safetyId?: number; cacheKey?: number }
  /** The number of stop sequences. */
  | { kind: 'stops'; max: number }
  | { kind: 'metadata'; pairs: number; key: number; value: number }
  /** Other names are replaced, and come back as the caller's own. */
  | { kind: 'tool-names'; pattern: RegExp }
  /** `isNarrow`: ids of other vendors break the rule, so that each request with tools is checked. */
  | { kind: 'call-ids'; pattern: RegExp; isNarrow?: true }
  /** Says whether the model thinks unasked, and how it is turned on and off. Without `off` it always thinks. */
  | {
      kind: 'thinking'
      byDefault: boolean
      off?: ThinkingSwitch
      on?: Readonly<Record<string, unknown>>
      /** Streams do not contain the reasoning that is charged. */
      isHidden?: true
    }
  /** The accepted efforts. An empty list: the model refuses the field. */
  | { kind: 'efforts'; accepted: readonly string[] }
  /** The accepted thinking budgets in tokens. */
  | { kind: 'budgets'; min: number; max: number }
  /** A tool choice that forces a call is refused, always or while the model thinks. */
  | { kind: 'forced-tools'; while: 'always' | 'thinking' }
  /** A conversation may not end with the model's own words, or needs the field `prefix` there. */
  | { kind: 'prefill'; as: 'refused' | 'prefix' }
  /** These fields are refused, always or while the model thinks. */
  | { kind: 'sampling'; fields: readonly SamplingField[]; while: 'always' | 'thinking' }
  /** While it thinks, the model wants its thoughts back with each earlier tool call. */
  | { kind: 'reasoning-content' }
  /**
   * Messages without words or calls are refused: those of the model, or of everybody. `refused` lists how they are empty
   * in the vendor's own dialect, where only those are left out.
   */
  | {
      kind: 'empty-messages'
      of: 'assistant' | 'everybody'
      refused: readonly EmptyContent[]
      /** The model's last message may be empty. */
      acceptsLast?: true
      /** A message of thoughts alone is not empty. */
      acceptsThoughts?: true
    }
  /** A message of the user may not follow a tool result directly. */
  | { kind: 'assistant-after-tool' }
  /** One message of instructions, before all others. Later ones become words of the user. */
  | { kind: 'instructions-first' }
  /** Tools are functions only. Those that take text become functions with one field. */
  | { kind: 'function-tools' }
  | { kind: 'cache-marks'; max: number }
  /** The smallest output limit. */
  | { kind: 'output-min'; min: number }
  /** Words that a system prompt may not contain. The channel removes the client's line that has them. */
  | { kind: 'reserved-words'; words: readonly string[] }

export type RuleKind = Rule['kind']

/** A rule with the models that it holds for, and where and when it was read. */
export type ModelRule = Rule & {
  /** Tested against the model's name at the upstream. Absent: every model at the vendor's own endpoints. */
  models?: RegExp
  /** The rule holds for endpoints of this dialect only. */
  dialect?: DialectId
  /** The page that says so, or who saw it. */
  source: string
  /** The day on which the source was read. */
  date: string
}

/** The rules that one model keeps at one endpoint, by kind. */
export type RulesOfModel = { readonly [Kind in RuleKind]?: Extract<ModelRule, { kind: Kind }> }

/** The first rule of each kind in the table that matches model and dialect counts. */
export const rulesOfModel = (
  table: readonly ModelRule[],
  model: string,
  dialect: string,
): RulesOfModel => {
  const found: Partial<Record<RuleKind, ModelRule>> = {}
  for (const rule of table)
    if (
      found[rule.kind] === undefined &&
      (rule.dialect === undefined || rule.dialect === dialect) &&
      (rule.models?.test(model) ?? true)
    )
      found[rule.kind] = rule
  return found as RulesOfModel
}

/** The accepted effort next below the requested one, else the lowest. Only `none` itself turns thinking off. */
export const nearestEffort = (effort: string, accepted: readonly string[]): string | undefined => {
  if (accepted.includes(effort)) return effort
  const rank = (name: string): number => effortOrder.indexOf(name as (typeof effortOrder)[number])
  const levels = accepted.filter(each => each !== 'none')
  return levels.findLast(each => rank(each) <= rank(effort)) ?? levels[0]
}
