import { type Body, type Check, firstOf, list, objectOf, textOf } from './body.ts'

const levels: Readonly<Record<string, readonly string[]>> = {
  // "Thinking level MEDIUM is not supported for this model." https://github.com/egoist/chatwise-releases/issues/1206
  'gemini-3-pro': ['LOW', 'HIGH'],
  // https://github.com/vellum-ai/vellum-assistant/pull/32687
  'gemini-3.1-pro': ['LOW', 'MEDIUM', 'HIGH'],
  'gemini-3.5-flash': ['MINIMAL', 'LOW', 'MEDIUM', 'HIGH'],
}

/** https://ai.google.dev/gemini-api/docs/thinking */
const budgets: Readonly<Record<string, readonly [min: number, max: number, off: boolean]>> = {
  'gemini-2.5-pro': [128, 32_768, false],
  'gemini-2.5-flash': [1, 24_576, true],
  'gemini-2.5-flash-lite': [512, 24_576, true],
}

const thinking: Check = ({ generationConfig }, model) => {
  const { thinkingLevel, thinkingBudget } = objectOf(objectOf(generationConfig).thinkingConfig)
  const accepted = levels[model]
  if (thinkingLevel !== undefined && !accepted?.includes(textOf(thinkingLevel)))
    return `Thinking level ${thinkingLevel} is not supported for this model. Please retry with other thinking level.`
  const bounds = budgets[model]
  if (typeof thinkingBudget !== 'number' || thinkingBudget === -1 || !bounds) return undefined
  const [min, max, off] = bounds
  if (thinkingBudget === 0)
    return off ? undefined : 'Budget 0 is invalid. This model only works in thinking mode.'
  return thinkingBudget < min || thinkingBudget > max
    ? `The thinking budget (${thinkingBudget}) is invalid.`
    : undefined
}

/** "contents are required": https://github.com/langgenius/dify-official-plugins/issues/2775 */
const contents: Check = ({ contents: turns }) => {
  if (list(turns).length === 0) return 'GenerateContentRequest.contents: contents is not specified'
  return list(turns).some(({ parts }) => list(parts).length === 0)
    ? 'Unable to submit request because it must include at least one parts field.'
    : undefined
}

/** https://github.com/continuedev/continue/issues/2702, https://github.com/google-gemini/gemini-cli/issues/6704 */
const limits: Check = ({ generationConfig, tools }) => {
  if (list(objectOf(generationConfig).stopSequences).length > 5)
    return 'the number of stop_sequences must not exceed 5.'
  const names = list(tools).flatMap(each => list(each.functionDeclarations))
  return names.some(({ name }) => !/^[a-zA-Z_][a-zA-Z0-9_.-]{0,63}$/.test(textOf(name)))
    ? 'Invalid function name. Must start with a letter or an underscore.'
    : undefined
}

export const gemini = firstOf(thinking, contents, limits)

const isBlank = ({ text }: Body): boolean => typeof text === 'string' && text.trim() === ''

/** "The text field in the ContentBlock object at messages.28.content.1 is blank." https://github.com/OpenHands/OpenHands/issues/5339 */
const blocks: Check = ({ messages, system }) => {
  const turns = list(messages)
  if (turns[0]?.role !== 'user') return 'A conversation must start with a user message.'
  if (turns.some(({ content }) => list(content).some(isBlank)) || list(system).some(isBlank))
    return 'The text field in the ContentBlock object is blank.'
  return turns.some(({ content }) => list(content).length === 0)
    ? 'The content field in the Message object is empty.'
    : undefined
}

/** https://docs.aws.amazon.com/bedrock/latest/userguide/prompt-caching.html */
const cachePoints: Check = ({ messages, system, toolConfig }) => {
  const all = [
    ...list(system),
    ...list(objectOf(toolConfig).tools),
    ...list(messages).flatMap(({ content }) => list(content)),
  ]
  return all.filter(each => each.cachePoint).length > 4
    ? 'You have exceeded the maximum number of cache points (4).'
    : undefined
}

/** https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ToolUseBlock.html */
const names: Check = ({ messages, toolConfig }) => {
  const used = list(messages)
    .flatMap(({ content }) => list(content))
    .flatMap(each => [objectOf(each.toolUse).toolUseId, objectOf(each.toolResult).toolUseId])
  const offered = list(objectOf(toolConfig).tools).map(each => objectOf(each.toolSpec).name)
  return [...used, ...offered].some(
    each => each !== undefined && !/^[a-zA-Z0-9_-]{1,64}$/.test(textOf(each)),
  )
    ? 'failed to satisfy constraint: Member must satisfy regular expression pattern: [a-zA-Z0-9_-]+'
    : undefined
}

/** https://github.com/anthropics/claude-code/issues/24168 */
const reserved: Check = ({ system }) =>
  JSON.stringify(system ?? '').includes('x-anthropic-billing-header')
    ? 'x-anthropic-billing-header is a reserved keyword and may not be used in the system prompt'
    : undefined

export const converse = firstOf(blocks, cachePoints, names, reserved)
export const bedrockWords = reserved
