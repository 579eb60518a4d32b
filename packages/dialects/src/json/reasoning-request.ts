import type { RequestBytes } from '../parsed-request.ts'

/** `unset`: the request leaves it to the model. */
export type ReasoningRequest = 'on' | 'off' | 'unset'

/** Top-level fields of all dialects that ask for reasoning, and the key inside them that does so. */
const reasoningFields: readonly (readonly [field: string, key: string])[] = [
  ['reasoning_effort', ''],
  ['reasoning', ''],
  ['thinking', ''],
  ['enable_thinking', ''],
  ['thinking_budget', ''],
  ['output_config', '"effort"'],
  ['generationConfig', '"thinkingConfig"'],
  ['generation_config', '"thinking_config"'],
]

/** Effort and mode are short, and stand in front of anything long. */
const readMax = 256

const offPattern =
  /^("none"|false|0)$|"(effort|type|enabled|thinkingBudget|thinking_budget|budget_tokens|max_tokens)"\s*:\s*("none"|"disabled"|false|0\b)/

/** Returns whether a request of any dialect asks for reasoning, from its bytes. */
export const readReasoningRequest = (request: RequestBytes): ReasoningRequest => {
  const [first] = reasoningTexts(request)
  if (!first) return 'unset'
  return offPattern.test(first.text) ? 'off' : 'on'
}

/** How much a request of any dialect wants its model to reason. */
export type ReasoningEffort = {
  request: ReasoningRequest
  /** `unset`, `on`, the effort by its name, or `budget-…` for budgets up to so many tokens. Few values, because it is a key. */
  level: string
  /** The most tokens that the request allows for reasoning. */
  budgetMax: number | undefined
}

const levelPattern = /"(?:effort|thinkingLevel|thinking_level)"\s*:\s*"(\w{1,20})"|^"(\w{1,20})"$/
const budgetPattern =
  /"(?:thinkingBudget|thinking_budget|budget_tokens|max_tokens)"\s*:\s*(\d{1,9})|^(\d{1,9})$/
const levels: ReadonlySet<string> = new Set(['minimal', 'low', 'medium', 'high', 'xhigh', 'max'])
const budgetLevels = [1_024, 4_096, 16_384, 65_536]

/** Reads effort and budget from every field that may have them: some callers send both. */
export const readReasoningEffort = (request: RequestBytes): ReasoningEffort => {
  const wants = readReasoningRequest(request)
  if (wants !== 'on') return { request: wants, level: wants, budgetMax: undefined }
  let level: string | undefined
  let budgetMax: number | undefined
  for (const { text } of reasoningTexts(request)) {
    const [, named, plain] = levelPattern.exec(text) ?? []
    const name = (named ?? plain)?.toLowerCase() ?? ''
    if (levels.has(name)) level ??= name
    const [, budget, number] = budgetPattern.exec(text) ?? []
    if (budget ?? number) budgetMax ??= Number(budget ?? number)
  }
  return { request: wants, level: level ?? levelOfBudget(budgetMax), budgetMax }
}

const levelOfBudget = (budget: number | undefined): string => {
  if (budget === undefined) return 'on'
  return `budget-${budgetLevels.find(each => budget <= each) ?? 'more'}`
}

/** The beginnings of the fields that ask for reasoning, in their order. */
function* reasoningTexts({ body, fieldRanges }: RequestBytes): Generator<{ text: string }> {
  for (const [field, key] of reasoningFields) {
    const range = fieldRanges.get(field)
    if (!range) continue
    const at = key === '' ? range.start : body.indexOf(key, range.start)
    if (at === -1 || at >= range.end) continue
    const text = body.toString('latin1', at, Math.min(range.end, at + readMax))
    if (text !== 'null') yield { text }
  }
}
