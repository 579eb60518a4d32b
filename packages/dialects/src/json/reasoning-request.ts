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

/** Returns whether a request of any dialect asks for reasoning, from its bytes. */
export const readReasoningRequest = ({
  body,
  fieldRanges,
}: Pick<ParsedRequest, 'body' | 'fieldRanges'>): ReasoningRequest => {
  for (const [field, key] of reasoningFields) {
    const range = fieldRanges.get(field)
    if (!range) continue
    const at = key === '' ? range.start : body.indexOf(key, range.start)
    if (at === -1 || at >= range.end) continue
    const text = body.toString('latin1', at, Math.min(range.end, at + readMax))
    if (text !== 'null') return offPattern.test(text) ? 'off' : 'on'
  }
  return 'unset'
}
