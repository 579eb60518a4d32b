/** A refusal in OpenAI's shape and words. */
export type Refusal = { status: number; body: { error: object } }

type ChatBody = { model?: string; tools?: { type?: string }[]; reasoning_effort?: string | null }

const parse = (body: Buffer): ChatBody => {
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

/**
 * From gpt-5.4 on, chat completions refuse function tools together with reasoning. gpt-5.4 reasons on request only,
 * later models by default, so that they accept tools with the effort `none` alone.
 * gpt-5.4: https://github.com/openai/openai-openapi/issues/541. gpt-5.5 without effort:
 * https://github.com/jeffdafoe/llm-memory-api/pull/178. gpt-5.6: https://github.com/BerriAI/litellm/pull/34569,
 * https://github.com/danny-avila/LibreChat/issues/14231
 */
export const refuseChatTools = (path: string, body: Buffer): Refusal | undefined => {
  if (!/\/chat\/completions(\?|$)/.test(path) || !body.includes('"tools"')) return undefined
  const { model = '', tools, reasoning_effort: effort } = parse(body)
  const name = model.split(':')[0]!
  const version = versionOf(name)
  const hasFunctions = tools?.some(tool => tool.type === 'function') === true
  const reasons = version >= 505 ? effort !== 'none' : effort != null && effort !== 'none'
  if (version < 504 || !hasFunctions || !reasons) return undefined
  const remedy =
    version >= 506
      ? "To use function tools, use /v1/responses or set reasoning_effort to 'none'."
      : 'Please use /v1/responses instead.'
  const message = `Function tools with reasoning_effort are not supported for ${name} in /v1/chat/completions. ${remedy}`
  const error = { message, type: 'invalid_request_error', param: 'reasoning_effort', code: null }
  return { status: 400, body: { error } }
}
