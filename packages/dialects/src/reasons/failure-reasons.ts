import { isJsonObject } from '../json/json.ts'

/** A code or type of an error, the HTTP status that it stands for where none was sent, and who says it. */
export type FailureRow = readonly [word: string, status: number, vendors: string]

/**
 * Failures that the request itself causes, whoever is asked. In the dialect of the caller the vendor's own frame passes.
 * https://platform.openai.com/docs/api-reference/responses/object
 * https://learn.microsoft.com/azure/ai-foundry/openai/concepts/content-filter
 * https://console.groq.com/docs/errors
 * https://www.alibabacloud.com/help/en/model-studio/error-code
 */
export const requestFailures: readonly FailureRow[] = [
  ['content_filter', 400, 'OpenAI, Azure, Moonshot'],
  ['content_policy_violation', 400, 'OpenAI, Azure'],
  ['moderation_blocked', 400, 'OpenAI'],
  ['invalid_prompt', 400, 'OpenAI'],
  ['cyber_policy', 400, 'OpenAI'],
  ['bio_policy', 400, 'OpenAI'],
  ['context_length_exceeded', 400, 'OpenAI'],
  ['invalid_image', 400, 'OpenAI'],
  ['invalid_image_format', 400, 'OpenAI'],
  ['invalid_base64_image', 400, 'OpenAI'],
  ['invalid_image_url', 400, 'OpenAI'],
  ['invalid_image_mode', 400, 'OpenAI'],
  ['image_too_large', 400, 'OpenAI'],
  ['image_too_small', 400, 'OpenAI'],
  ['image_parse_error', 400, 'OpenAI'],
  ['image_content_policy_violation', 400, 'OpenAI'],
  ['image_file_too_large', 400, 'OpenAI'],
  ['unsupported_image_media_type', 400, 'OpenAI'],
  ['empty_image_file', 400, 'OpenAI'],
  ['failed_to_download_image', 400, 'OpenAI'],
  ['image_file_not_found', 400, 'OpenAI'],
  ['tool_use_failed', 400, 'Groq'],
  ['json_validate_failed', 400, 'Groq'],
  ['data_inspection_failed', 400, 'Alibaba Qwen'],
  ['DataInspectionFailed', 400, 'Alibaba Qwen'],
  ['sensitive_words_detected', 400, 'New API'],
  ['1301', 400, 'Zhipu'],
]

/**
 * Other failures. Further words count as 500.
 * https://platform.openai.com/docs/guides/error-codes
 * https://platform.claude.com/docs/en/api/errors
 * https://google.aip.dev/193
 * https://platform.moonshot.cn/docs/api/chat#错误说明
 */
export const otherFailures: readonly FailureRow[] = [
  ['invalid_request_error', 400, 'OpenAI, Anthropic'],
  ['INVALID_ARGUMENT', 400, 'Google'],
  ['FAILED_PRECONDITION', 400, 'Google'],
  ['authentication_error', 401, 'Anthropic'],
  ['UNAUTHENTICATED', 401, 'Google'],
  ['billing_error', 402, 'Anthropic'],
  ['permission_error', 403, 'Anthropic'],
  ['PERMISSION_DENIED', 403, 'Google'],
  ['not_found_error', 404, 'Anthropic'],
  ['NOT_FOUND', 404, 'Google'],
  ['request_too_large', 413, 'Anthropic'],
  ['rate_limit_error', 429, 'Anthropic'],
  ['rate_limit_exceeded', 429, 'OpenAI'],
  ['rate_limit_reached_error', 429, 'Moonshot'],
  ['engine_overloaded_error', 429, 'Moonshot'],
  ['RESOURCE_EXHAUSTED', 429, 'Google'],
  ['overloaded_error', 529, 'Anthropic'],
  ['server_is_overloaded', 529, 'OpenAI'],
  ['slow_down', 529, 'OpenAI'],
  ['api_error', 500, 'Anthropic'],
  ['server_error', 500, 'OpenAI'],
  ['INTERNAL', 500, 'Google'],
  ['vector_store_timeout', 500, 'OpenAI'],
  ['UNAVAILABLE', 503, 'Google'],
  ['timeout_error', 504, 'Anthropic'],
  ['DEADLINE_EXCEEDED', 504, 'Google'],
]

const statuses: ReadonlyMap<string, number> = new Map(
  [...requestFailures, ...otherFailures].map(([word, status]) => [word, status]),
)

const requestWords: ReadonlySet<string> = new Set(requestFailures.map(([word]) => word))

/** The HTTP status that a vendor's code, or else its type, stands for. Undefined: neither is in a document. */
export const failureStatusOf = (code: string, type: string): number | undefined =>
  statuses.get(code) ?? statuses.get(type)

/**
 * The vendor failed for what the request is, so that its own frame is for the caller. The error stands in a failed
 * response, in `error`, or is the frame itself.
 */
export const isRequestFailureFrame = (frame: unknown): boolean => {
  if (!isJsonObject(frame)) return false
  const { response, error } = frame
  const inner = isJsonObject(response) ? response.error : (error ?? frame)
  return isJsonObject(inner) && [inner.code, inner.type].some(isRequestWord)
}

const isRequestWord = (word: unknown): boolean => typeof word === 'string' && requestWords.has(word)
