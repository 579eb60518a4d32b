/** A refusal in OpenAI's shape and words. */
export type Refusal = { status: number; body: { error: object } }

type Body = {
  model?: string
  tools?: { type?: string }[]
  reasoning_effort?: string | null
  reasoning?: { effort?: string | null } | null
  temperature?: number | null
  top_p?: number | null
  max_output_tokens?: number | null
}

const parse = (body: Buffer): Body => {
  try {
    return JSON.parse(body.toString())
  } catch {
    return {}
  }
}

const family = /^gpt-(\d+)(?:\.(\d+))?(?!\d)/

/** The version as a number that compares: gpt-5.4 is 504, gpt-6 is 600; 0 for any other model. */
const versionOf = (model: string): number => {
  const [, major, minor = '0'] = family.exec(model) ?? []
  // Azure writes gpt-3.5 as gpt-35.
  return major === undefined || major === '35' ? 0 : Number(major) * 100 + Number(minor)
}

/** gpt-5.4 reasons on request only, later models by default. */
const reasons = (version: number, effort: string | null | undefined): boolean =>
  version >= 505 ? effort !== 'none' : effort != null && effort !== 'none'

export const invalid = (message: string, param: string, code: string | null = null): Refusal => ({
  status: 400,
  body: { error: { message, type: 'invalid_request_error', param, code } },
})

/** Refuses a request as OpenAI does, by the rules for gpt-5.4 and later. */
export const openaiRefusal = (path: string, body: Buffer): Refusal | undefined => {
  if (/\/chat\/completions(\?|$)/.test(path))
    return body.includes('"tools"') ? refuseChatTools(parse(body)) : undefined
  return /\/responses(\?|$)/.test(path) && isLimited(body) ? refuseLimits(parse(body)) : undefined
}

/**
 * Chat completions refuse function tools together with reasoning.
 * gpt-5.4: https://github.com/openai/openai-openapi/issues/541. gpt-5.5 without effort:
 * https://github.com/jeffdafoe/llm-memory-api/pull/178. gpt-5.6: https://github.com/BerriAI/litellm/pull/34569,
 * https://github.com/danny-avila/LibreChat/issues/14231
 */
const refuseChatTools = ({ model = '', tools, reasoning_effort }: Body): Refusal | undefined => {
  const name = model.split(':')[0]!
  const version = versionOf(name)
  const hasFunctions = tools?.some(tool => tool.type === 'function') === true
  if (version < 504 || !hasFunctions || !reasons(version, reasoning_effort)) return undefined
  const remedy =
    version >= 506
      ? "To use function tools, use /v1/responses or set reasoning_effort to 'none'."
      : 'Please use /v1/responses instead.'
  const message = `Function tools with reasoning_effort are not supported for ${name} in /v1/chat/completions. ${remedy}`
  return invalid(message, 'reasoning_effort')
}

const isLimited = (body: Buffer): boolean =>
  ['"max_output_tokens"', '"temperature"', '"top_p"'].some(key => body.includes(key))

/**
 * Responses has a smallest output limit (https://github.com/vectorize-io/hindsight/issues/58), and a reasoning model no
 * sampling parameters (https://github.com/OpenHands/software-agent-sdk/issues/1837).
 */
const refuseLimits = ({ model = '', reasoning, ...body }: Body): Refusal | undefined => {
  const version = versionOf(model)
  if (version < 504) return undefined
  const { max_output_tokens: limit } = body
  if (typeof limit === 'number' && limit < 16) {
    const message = `Invalid 'max_output_tokens': integer below minimum value. Expected a value >= 16, but got ${limit} instead.`
    return invalid(message, 'max_output_tokens', 'integer_below_min_value')
  }
  const param = (['temperature', 'top_p'] as const).find(key => typeof body[key] === 'number')
  return param && reasons(version, reasoning?.effort)
    ? invalid(`Unsupported parameter: '${param}' is not supported with this model.`, param)
    : undefined
}
