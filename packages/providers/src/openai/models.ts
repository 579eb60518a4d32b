import type { ModelLimits } from '@hub/dialects'

/** Excludes models that only the Responses API serves: https://developers.openai.com/api/docs/models */
export const chatModels =
  /^(?!o[13]-pro|o[34](-mini)?-deep-research|codex-mini|gpt-5[\w.]*-(pro|codex))/

/**
 * gpt-5.4 and every later version. Chat completions refuse their function tools together with reasoning: "To use
 * function tools, use /v1/responses". https://github.com/openai/openai-openapi/issues/541,
 * https://github.com/BerriAI/litellm/pull/34569
 */
export const responsesModels = /(^|[/:])gpt-(5\.([4-9]|[1-9]\d)|[6-9]|[12]\d)(?!\d)/

const reasonsOnRequest = /(^|[/:])gpt-5\.4(?!\d)/

/**
 * The limits of Responses. Smallest output: https://github.com/vectorize-io/hindsight/issues/58, sampling parameters:
 * https://github.com/OpenHands/software-agent-sdk/issues/1837, and for each model's default effort
 * https://github.com/BerriAI/litellm-docs/pull/1064
 */
export const responsesLimits = (model: string): ModelLimits => {
  if (!responsesModels.test(model)) return { outputMin: 16 }
  return { outputMin: 16, reasons: reasonsOnRequest.test(model) ? 'on-request' : 'by-default' }
}
