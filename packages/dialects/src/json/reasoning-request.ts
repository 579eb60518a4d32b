import type { ByteRange, RequestBytes } from '../parsed-request.ts'
import { readFieldRanges } from './field-ranges.ts'
import type { Json } from './json.ts'

/** `unset`: the request leaves it to the model. */
export type ReasoningRequest = 'on' | 'off' | 'unset'

/** How much a request of any dialect wants its model to reason. */
export type ReasoningEffort = {
  request: ReasoningRequest
  /** `unset`, `on`, the effort by its name, or `budget-…` for budgets up to so many tokens. Few values, because it is a key. */
  level: string
  /** The most tokens that the request allows for reasoning. */
  budgetMax: number | undefined
}

/** The request that one field states. A field that asks for reasoning and names no budget bounds nothing, unless it is neutral. */
type Stated = {
  request: ReasoningRequest
  level?: string | undefined
  budget?: number | undefined
  /** Another field may bound what this one asks for. */
  isNeutral?: true
}

const unset: Stated = { request: 'unset' }
const off: Stated = { request: 'off' }
const on: Stated = { request: 'on' }

const isSet = (value: Json): boolean => value !== undefined && value !== null
const isObject = (value: Json): boolean => typeof value === 'object' && value !== null

/** An effort or budget that stands beside others in one object: it is off only where none of them asks for reasoning. */
const sayAll = (effort: Json, budget: Json, isEnabled: Json): Stated => {
  const level = typeof effort === 'string' ? effort.toLowerCase() : undefined
  const asks = [isSet(effort) && level !== 'none', isSet(budget) && budget !== 0]
  if (asks.some(Boolean) || (isSet(isEnabled) && isEnabled !== false)) {
    const isBounded = !asks[0] && typeof budget === 'number' && budget > 0
    return { request: 'on', level, budget: isBounded ? budget : undefined }
  }
  return level === 'none' || budget === 0 || isEnabled === false ? off : on
}

const sayThinking = (value: Json): Stated => {
  if (value === false) return off
  const { type, budget_tokens: budget } = isObject(value) ? value : {}
  if (type === 'disabled') return off
  if (!isSet(type)) return budget === 0 ? off : sayAll(undefined, budget, undefined)
  return type === 'enabled' && budget > 0 ? { request: 'on', budget } : on
}

/** Vendors put switches of their own into these. They can ask for reasoning, and turn nothing off that others ask for. */
const sayNested = (value: Json): Stated => (asksWithin(value, false) ? on : unset)

const reasoningWord = /think|thought|reason|effort/i
const offValues: ReadonlySet<unknown> = new Set([null, false, 0, 'none', 'NONE', 'disabled'])

const asksWithin = (value: Json, isNamed: boolean): boolean =>
  isObject(value)
    ? Object.entries(value).some(([key, inner]) =>
        asksWithin(inner, isNamed || reasoningWord.test(key)),
      )
    : isNamed && !offValues.has(value)

const innerKeys = {
  reasoning: ['effort', 'max_tokens', 'enabled'],
  thinking: ['type', 'budget_tokens'],
  thinkingConfig: [
    ...['thinkingBudget', 'thinking_budget', 'thinkingbudget'],
    ...['thinkingLevel', 'thinking_level', 'thinkinglevel'],
  ],
  generationConfig: ['thinkingConfig', 'thinking_config', 'thinkingconfig'],
} as const

/** Tells whether a format has a budget of tokens for reasoning. The others have efforts, which bound nothing. */
export const hasBudgets = (format: string): boolean => !format.startsWith('openai-')

const valueAt = ({ body }: Pick<RequestBytes, 'body'>, { start, end }: ByteRange): Json =>
  JSON.parse(body.toString('utf8', start, end))

/**
 * Reads an object with a key that stands twice, or that is written in another way, as one that asks for reasoning: parsers
 * disagree on what it says.
 */
const ofObject =
  (keys: readonly string[], say: (value: Json) => Stated) =>
  (request: Pick<RequestBytes, 'body'>, range: ByteRange): Stated => {
    const { body } = request
    if (body[range.start] !== 0x7b) return say(valueAt(request, range))
    const inner = readFieldRanges(body, range.start, range.end, keys)
    return inner.ok ? say(valueAt(request, range)) : on
  }

const ofValue =
  (say: (value: Json) => Stated) =>
  (request: Pick<RequestBytes, 'body'>, range: ByteRange): Stated =>
    say(valueAt(request, range))

const sayThinkingConfig = ofObject(innerKeys.thinkingConfig, value => {
  const { thinkingBudget, thinking_budget, thinkingLevel, thinking_level } = value ?? {}
  const both = [
    sayAll(thinkingLevel, thinkingBudget, undefined),
    sayAll(thinking_level, thinking_budget, undefined),
  ]
  const isCamel = isSet(thinkingBudget) || isSet(thinkingLevel)
  const isSnake = isSet(thinking_budget) || isSet(thinking_level)
  if (isCamel && isSnake) return both.find(each => each.request === 'on') ?? off
  return both[isSnake ? 1 : 0]!
})

/** The settings may contain a long schema, so that only the part for thoughts is parsed. */
const sayGenerationConfig = (request: Pick<RequestBytes, 'body'>, range: ByteRange): Stated => {
  const { body } = request
  if (body[range.start] !== 0x7b) return unset
  const inner = readFieldRanges(body, range.start, range.end, innerKeys.generationConfig)
  if (!inner.ok) return on
  let found = unset
  for (const key of innerKeys.generationConfig) {
    const place = inner.fieldRanges.get(key)
    if (!place || body[place.start] === 0x6e) continue
    // A spelling that no vendor documents can ask for reasoning, and turn nothing off.
    const stated = key === 'thinkingconfig' ? on : sayThinkingConfig(request, place)
    if (found.request !== 'on') found = stated
  }
  return found
}

type SayField = (request: Pick<RequestBytes, 'body'>, range: ByteRange) => Stated

/** Top-level fields of all dialects and vendors that ask for reasoning. */
const reasoningFields: ReadonlyMap<string, SayField> = new Map<string, SayField>([
  ['reasoning_effort', ofValue(value => sayAll(value, undefined, undefined))],
  [
    'reasoning',
    ofObject(innerKeys.reasoning, value =>
      value === false ? off : sayAll(value?.effort, value?.max_tokens, value?.enabled),
    ),
  ],
  ['thinking', ofObject(innerKeys.thinking, sayThinking)],
  [
    'enable_thinking',
    ofValue(value => (value === false ? off : { request: 'on', isNeutral: true })),
  ],
  ['thinking_budget', ofValue(value => sayAll(undefined, value, undefined))],
  [
    'output_config',
    ofObject(['effort'], value =>
      isSet(value?.effort)
        ? { ...sayAll(value.effort, undefined, undefined), isNeutral: true }
        : unset,
    ),
  ],
  ['generationConfig', sayGenerationConfig],
  ['generation_config', sayGenerationConfig],
  ['chat_template_kwargs', ofValue(sayNested)],
  ['extra_body', ofValue(sayNested)],
  ['additionalModelRequestFields', ofValue(sayNested)],
])

const foldedFields: ReadonlyMap<string, SayField> = new Map(
  [...reasoningFields].map(([field, say]) => [field.toLowerCase(), say]),
)

/** Reads what each field says about reasoning. Null stands for an absent field, as with vendors. */
function* statedIn(request: RequestBytes): Generator<Stated> {
  for (const [field, range] of request.fieldRanges) {
    const exact = reasoningFields.get(field)
    const say = exact ?? foldedFields.get(field.toLowerCase())
    if (!say || request.body[range.start] === 0x6e) continue
    const stated = say(request, range)
    // Some parsers accept another spelling. It can ask for reasoning, and turn nothing off.
    if (exact || stated.request === 'on') yield stated
  }
}

/** Returns whether a request of any dialect asks for reasoning: it is off only where no field asks for it. */
export const readReasoningRequest = (request: RequestBytes): ReasoningRequest => {
  let found: ReasoningRequest = 'unset'
  for (const { request: each } of statedIn(request)) {
    if (each === 'on') return each
    if (each === 'off') found = each
  }
  return found
}

const levels: ReadonlySet<string> = new Set(['minimal', 'low', 'medium', 'high', 'xhigh', 'max'])
const budgetLevels = [1_024, 4_096, 16_384, 65_536]

const unsetEffort: ReasoningEffort = { request: 'unset', level: 'unset', budgetMax: undefined }

/** Reads effort and budget from every field that may have them: some callers send both. */
export const readReasoningEffort = (request: RequestBytes): ReasoningEffort => {
  let found = unsetEffort
  let level: string | undefined
  let budget: number | undefined
  let isBounded = true
  for (const stated of statedIn(request)) {
    if (stated.request === 'off' && found.request === 'unset')
      found = { request: 'off', level: 'off', budgetMax: undefined }
    if (stated.request !== 'on') continue
    found = { request: 'on', level: 'on', budgetMax: undefined }
    if (stated.level !== undefined && levels.has(stated.level)) level ??= stated.level
    if (stated.budget !== undefined) budget = Math.max(budget ?? 0, stated.budget)
    else if (!stated.isNeutral) isBounded = false
  }
  if (found.request !== 'on') return found
  const budgetMax = isBounded ? budget : undefined
  return { request: 'on', level: level ?? levelOfBudget(budgetMax), budgetMax }
}

const levelOfBudget = (budget: number | undefined): string => {
  if (budget === undefined) return 'on'
  return `budget-${budgetLevels.find(each => budget <= each) ?? 'more'}`
}
