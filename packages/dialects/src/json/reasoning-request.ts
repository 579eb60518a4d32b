import type { ParsedRequest } from '../parsed-request.ts'

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

type ReasoningFields = Pick<ParsedRequest, 'body' | 'fieldRanges'>

/** Returns whether a request of any dialect asks for reasoning, from its bytes. */
export const readReasoningRequest = (parsed: ReasoningFields): ReasoningRequest => {
  for (const text of reasoningTexts(parsed)) return offPattern.test(text) ? 'off' : 'on'
  return 'unset'
}

const budgetPattern =
  /^(\d+)$|"(?:thinkingBudget|thinking_budget|budget_tokens|max_tokens)"\s*:\s*(\d+)/

/** The most reasoning tokens that a request of any dialect allows; undefined where it names no number. */
export const readReasoningBudget = (parsed: ReasoningFields): number | undefined => {
  for (const text of reasoningTexts(parsed)) {
    const [, alone, inside] = budgetPattern.exec(text) ?? []
    const digits = alone ?? inside
    if (digits !== undefined) return Number(digits)
  }
  return undefined
}

function* reasoningTexts({ body, fieldRanges }: ReasoningFields): Generator<string> {
  for (const [field, key] of reasoningFields) {
    const range = fieldRanges.get(field)
    if (!range) continue
    const at = key === '' ? range.start : body.indexOf(key, range.start)
    if (at === -1 || at >= range.end) continue
    const text = body.toString('latin1', at, Math.min(range.end, at + readMax))
    if (text !== 'null') yield text
  }
}
