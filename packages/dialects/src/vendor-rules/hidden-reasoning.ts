import { readReasoningRequest } from '../json/reasoning-request.ts'
import type { ParsedRequest } from '../parsed-request.ts'

/** Families whose streams contain the reasoning that is charged, word by word. */
const shown =
  /deepseek|qwen|qwq|kimi|moonshot|glm|minimax|hunyuan|doubao|ernie|magistral|mistral|gpt-oss|nemotron|grok-3-mini|grok-code/i

/**
 * Models that reason although the request does not ask for it, and tell a summary or nothing. By the vendors' lists:
 * https://developers.openai.com/api/docs/models, https://ai.google.dev/gemini-api/docs/thinking,
 * https://docs.x.ai/docs/guides/reasoning, https://platform.claude.com/docs/en/build-with-claude/adaptive-thinking
 */
const hiddenByDefault =
  /(^|[/:.])(o\d(?!\d)|gpt-5(?!\.[1-4](?!\d))(?![\w.-]*chat)|gpt-([6-9]|\d\d)|gemini-2\.5(?!-flash-lite)|gemini-([3-9]|\d\d)|grok-[4-9](?![\w.-]*non-reasoning))|claude-(fable|mythos)/i

/** True where the upstream may make output that is charged and that a stream does not show while it is made. */
export const hidesReasoning = (
  parsed: Pick<ParsedRequest, 'body' | 'fieldRanges'>,
  upstreamModel: string,
): boolean => {
  if (shown.test(upstreamModel)) return false
  const request = readReasoningRequest(parsed)
  return request === 'on' || (request === 'unset' && hiddenByDefault.test(upstreamModel))
}
