import type { EffortLevel } from '@hub/dialects'

const reasons = /(^|\/)(o\d|gpt-([5-9]|\d\d)|gpt-oss)/
const plain = /(^|\/)(gpt-[34]|chatgpt-4)/
/** These may rest: `none` is one of their efforts, and `minimal` is not. */
const mayRest = /(^|\/)gpt-(5\.[1-9]|[6-9]|\d\d)(?!.*-pro)/
/** `minimal` is an effort of the first of the family only. */
const hasMinimal = /(^|\/)gpt-5(-|$)(?!pro|codex|chat)/
const hasHighest = /(^|\/)gpt-(5\.1-codex-max|5\.[2-9]|[6-9]|\d\d)/

/**
 * The effort by the name that a model of OpenAI accepts; undefined for none. Models of other vendors are sent the common
 * names. https://platform.openai.com/docs/guides/reasoning
 */
export const openaiEffort = (
  level: EffortLevel,
  model: string,
): string | undefined | { refusal: string } => {
  if (plain.test(model)) return level === 'off' ? undefined : { refusal: 'it does not think' }
  if (level === 'on') return 'medium'
  if (!reasons.test(model)) return level === 'off' ? 'none' : level
  if (level === 'off') return mayRest.test(model) ? 'none' : { refusal: 'it always thinks' }
  if (level === 'minimal') return hasMinimal.test(model) ? level : 'low'
  if (level === 'xhigh') return hasHighest.test(model) ? level : 'high'
  return level
}
