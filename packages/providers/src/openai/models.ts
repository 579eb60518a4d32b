/** Excludes models that only the Responses API serves: https://developers.openai.com/api/docs/models */
export const chatModels =
  /^(?!o[13]-pro|o[34](-mini)?-deep-research|codex-mini|gpt-5[\w.]*-(pro|codex))/

/**
 * gpt-5.4 and every later version. Chat completions refuse their function tools together with reasoning: "To use
 * function tools, use /v1/responses". https://github.com/openai/openai-openapi/issues/541,
 * https://github.com/BerriAI/litellm/pull/34569
 */
export const responsesModels = /(^|[/:])gpt-(5\.([4-9]|[1-9]\d)|[6-9]|[12]\d)(?!\d)/
