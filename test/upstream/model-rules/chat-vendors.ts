import { type Body, type Check, firstOf, list, objectOf, textOf } from './body.ts'

const isForced = ({ tool_choice }: Body): boolean =>
  tool_choice === 'required' || typeof tool_choice === 'object'

const switchedOff = ({ thinking }: Body): boolean => objectOf(thinking).type === 'disabled'

const withoutReasoning = ({ messages }: Body): number =>
  list(messages).findIndex(
    ({ tool_calls, reasoning_content }) =>
      list(tool_calls).length > 0 && (reasoning_content === undefined || reasoning_content === ''),
  )

/** Neither words nor calls: absent, null, '' and []. Thoughts do not count. */
const hasNothing = ({ content, tool_calls }: Body): boolean =>
  (!content || (Array.isArray(content) && content.length === 0)) && list(tool_calls).length === 0

const emptyAssistant = ({ messages }: Body): number =>
  list(messages).findIndex(each => each.role === 'assistant' && hasNothing(each))

const hasEmptyText = ({ content }: Body): boolean => list(content).some(each => each.text === '')

/** Names of at most 64 characters: https://github.com/mrexodia/ida-pro-mcp/issues/129, https://github.com/QwenLM/Qwen3-VL/issues/2069 */
const names: Check = ({ tools }) =>
  list(tools).some(each => !/^[a-zA-Z0-9_-]{1,64}$/.test(textOf(objectOf(each.function).name)))
    ? 'The length of the tool name cannot exceed 64.'
    : undefined

const deepseekThinking: Check = body => {
  if (switchedOff(body)) return undefined
  // https://github.com/deepseek-ai/DeepSeek-V3/issues/1376
  if (isForced(body)) return 'Thinking mode does not support this tool_choice'
  // https://github.com/anomalyco/opencode/issues/24722
  return withoutReasoning(body) >= 0
    ? 'The `reasoning_content` in the thinking mode must be passed back to the API.'
    : undefined
}

/** An empty text is content: https://github.com/carlrobertoh/ProxyAI/issues/834 */
const deepseekEmpty: Check = ({ messages }) =>
  list(messages).some(
    ({ role, content, tool_calls }) =>
      role === 'assistant' && (content ?? null) === null && list(tool_calls).length === 0,
  )
    ? 'Invalid assistant message: content or tool_calls must be set'
    : undefined

export const deepseek = firstOf(deepseekThinking, deepseekEmpty, names)

const kimiThinking: Check = (body, model) => {
  // https://java.agentscope.io/v2/en/integration/model/kimi
  if (switchedOff(body) && !/k2\.[56]$/.test(model))
    return `thinking cannot be disabled for ${model}`
  if (switchedOff(body)) return undefined
  // https://github.com/can1357/oh-my-pi/issues/1077
  if (isForced(body)) return 'tool_choice specified is incompatible with thinking enabled'
  // https://github.com/QuantumNous/new-api/issues/3121
  const index = withoutReasoning(body)
  return index >= 0
    ? `thinking is enabled but reasoning_content is missing in assistant tool call message at index ${index}`
    : undefined
}

const kimiBody: Check = (body, model) => {
  const turns = list(body.messages)
  // https://github.com/MoonshotAI/kimi-code/issues/1985, https://github.com/rikkahub/rikkahub/issues/436
  const index = turns.findIndex(each => each.role !== 'tool' && hasNothing(each))
  if (index >= 0)
    return `The message at position ${index} with role '${turns[index]?.role}' must not be empty`
  // https://github.com/BerriAI/litellm/issues/42186
  if (turns.some(hasEmptyText)) return 'Invalid request: text content is empty'
  // https://github.com/CherryHQ/cherry-studio/issues/14573
  if (body.temperature !== undefined && body.temperature !== 1)
    return 'invalid temperature: only 1 is allowed for this model'
  if (Array.isArray(body.stop) && body.stop.length > 5) return 'stop: at most 5 entries'
  const { reasoning_effort: effort } = body
  return model === 'kimi-k3' &&
    effort !== undefined &&
    !['low', 'high', 'max'].includes(textOf(effort))
    ? `invalid reasoning_effort: ${effort}`
    : undefined
}

export const moonshot = firstOf(kimiThinking, kimiBody, names)

/** https://github.com/zed-industries/zed/issues/37021, https://github.com/huggingface/smolagents/issues/757 */
const mistralOrder: Check = ({ messages }) => {
  const turns = list(messages)
  const wrong = turns.find(
    ({ role }, at) => turns[at - 1]?.role === 'tool' && role !== 'tool' && role !== 'assistant',
  )
  if (wrong) return `Unexpected role '${wrong.role}' after role 'tool'`
  const last = turns.at(-1)
  return last?.role === 'assistant' && last.prefix !== true
    ? 'Expected last role User or Tool (or Assistant with prefix True) for serving but got assistant'
    : undefined
}

const mistralBody: Check = body => {
  // https://github.com/OpenHands/OpenHands/issues/8685
  if (emptyAssistant(body) >= 0)
    return 'Assistant message must have either content or tool_calls, but not none.'
  const ids = list(body.messages).flatMap(({ tool_calls, tool_call_id }) => [
    ...list(tool_calls).map(each => each.id),
    tool_call_id,
  ])
  // https://github.com/karthink/gptel/issues/1203
  return ids.some(each => each !== undefined && !/^[a-zA-Z0-9]{9}$/.test(textOf(each)))
    ? 'Tool call id must be a-z, A-Z, 0-9, with a length of 9.'
    : undefined
}

export const mistral = firstOf(mistralOrder, mistralBody, names)

/** https://github.com/cloudwego/eino/issues/994 */
const qwenThinking: Check = (body, model) => {
  const thinks = body.enable_thinking ?? /^(qwq|qwen3\.|.*-thinking)/.test(model)
  return thinks && isForced(body)
    ? 'The tool_choice parameter does not support being set to required or object in thinking mode'
    : undefined
}

/** The chat template: https://github.com/vllm-project/vllm/issues/41114, https://github.com/ggml-org/llama.cpp/issues/27367 */
const qwenInstructions: Check = ({ messages }, model) =>
  /qwen3\.[5-9]/.test(model) &&
  list(messages).some(({ role }, at) => at > 0 && (role === 'system' || role === 'developer'))
    ? 'System message must be at the beginning.'
    : undefined

export const qwen = firstOf(qwenThinking, qwenInstructions, names)

/** "GLM only accepts tool_choice=auto" https://java.agentscope.io/v2/en/integration/model/glm */
const glmChoice: Check = body =>
  isForced(body) ? "tool_choice: only 'auto' is supported" : undefined

/** https://github.com/songquanpeng/one-api/issues/1153 */
const glmEmpty: Check = body =>
  emptyAssistant(body) >= 0
    ? `messages[${emptyAssistant(body)}]:content和tool_calls 字段不能同时为空`
    : undefined

export const zhipu = firstOf(glmChoice, glmEmpty)

/** https://docs.x.ai/docs/guides/reasoning, efforts: https://github.com/anomalyco/opencode/issues/39448 */
const grok: Check = (body, model) => {
  const field = ['stop', 'presence_penalty', 'frequency_penalty'].find(each => body[each])
  if (field) return `Argument not supported on this model: ${field}`
  const { reasoning_effort: effort } = body
  if (effort === undefined) return undefined
  const accepted =
    model === 'grok-4.3' ? ['none', 'low', 'medium', 'high'] : ['low', 'medium', 'high']
  return accepted.includes(textOf(effort)) ? undefined : `Invalid reasoning effort: ${effort}`
}

/** https://github.com/langbot-app/LangBot/issues/1205, https://github.com/AstrBotDevs/AstrBot/issues/6447 */
const grokEmpty: Check = ({ messages }) =>
  list(messages).some(each => each.role !== 'tool' && (hasNothing(each) || hasEmptyText(each)))
    ? 'An empty message was provided. Every message needs at least one non-empty content element.'
    : undefined

export const xai = firstOf(grok, grokEmpty)
