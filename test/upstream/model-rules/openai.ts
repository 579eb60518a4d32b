import { type Body, type Check, firstOf, list, objectOf, textOf } from './body.ts'

const upToHigh = ['low', 'medium', 'high']
const upToMax = ['low', 'medium', 'high', 'xhigh', 'max']

/** The efforts that each model accepts, and the one that counts where a request names none. */
const models: Readonly<Record<string, readonly [accepted: readonly string[], unasked: string]>> = {
  o3: [upToHigh, 'medium'],
  'o4-mini': [upToHigh, 'medium'],
  'gpt-5': [['minimal', ...upToHigh], 'medium'],
  'gpt-5-pro': [['high'], 'high'],
  'gpt-5.1': [['none', ...upToHigh], 'none'],
  'gpt-5.4': [['none', ...upToHigh, 'xhigh'], 'none'],
  'gpt-5.5': [['none', ...upToHigh, 'xhigh'], 'medium'],
  'gpt-6-sol': [['none', ...upToMax], 'medium'],
  'gpt-6.1-sol': [upToMax, 'medium'],
  'gpt-6.2-sol': [upToMax, 'medium'],
  'gpt-6-astra': [upToMax, 'medium'],
}

const effortIn = ({ reasoning, reasoning_effort }: Body): unknown =>
  objectOf(reasoning).effort ?? reasoning_effort

/**
 * "Unsupported value: 'minimal' is not supported with the 'gpt-5.1' model. Supported values are: 'none', 'low', 'medium', and 'high'."
 * https://github.com/anomalyco/opencode/issues/4451; gpt-6.1-sol:
 * https://dev.to/aihubmix/choosing-a-reasoning-effort-for-gpt-61-sol-low-to-max-4326
 */
const effort: Check = (body, model) => {
  const requested = effortIn(body)
  const [accepted] = models[model] ?? []
  if (requested === undefined || accepted?.includes(textOf(requested))) return undefined
  if (!accepted)
    return "Unsupported parameter: 'reasoning.effort' is not supported with this model."
  return `Unsupported value: '${requested}' is not supported with the '${model}' model. Supported values are: ${accepted.join(', ')}.`
}

/**
 * "Unsupported parameter: 'temperature' is not supported with this model." https://github.com/openai/openai-python/issues/2072
 * For top_p: https://github.com/lobehub/lobehub/pull/7747
 */
const sampling: Check = (body, model) => {
  const known = models[model]
  if (!known || (effortIn(body) ?? known[1]) === 'none') return undefined
  const field = ['temperature', 'top_p', 'logprobs', 'top_logprobs'].find(each => body[each])
  return field && `Unsupported parameter: '${field}' is not supported with this model.`
}

/** "Invalid 'user': string too long." https://developers.openai.com/api/reference/resources/responses/methods/create */
const lengths: Check = body => {
  const long = ['user', 'safety_identifier', 'prompt_cache_key'].find(
    each => textOf(body[each]).length > 64,
  )
  return long && `Invalid '${long}': string too long. Expected a string with maximum length 64.`
}

/** https://github.com/continuedev/continue/issues/2461 */
const stops: Check = ({ stop }) =>
  Array.isArray(stop) && stop.length > 4
    ? "Invalid 'stop': array too long. Expected an array with maximum length 4."
    : undefined

const badName = (name: unknown): boolean => !/^[a-zA-Z0-9_-]{1,64}$/.test(textOf(name))

/** https://platform.openai.com/docs/api-reference/chat/create, ids: https://github.com/microsoft/autogen/issues/6377 */
const tools: Check = ({ tools: offered, messages, input }) => {
  // Tools that OpenAI runs itself have no name.
  const own = list(offered).filter(({ type }) => type === 'function' || type === 'custom')
  for (const { name, function: inner } of own)
    if (badName(name ?? objectOf(inner).name)) return "Invalid 'tools[0].name'"
  const ids = [
    ...list(messages).flatMap(({ tool_calls, tool_call_id }) => [
      tool_call_id,
      ...list(tool_calls).map(each => each.id),
    ]),
    ...list(input).map(each => each.call_id),
  ]
  return ids.some(each => textOf(each).length > 64)
    ? "Invalid 'call_id': string too long."
    : undefined
}

export const openai = firstOf(effort, sampling, lengths, stops, tools)
