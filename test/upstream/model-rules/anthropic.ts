import { type Body, type Check, firstOf, list, objectOf, textOf } from './body.ts'

type Features = { always?: true; forced?: false; prefill?: false; sampling?: false; budget?: false }

const modern: Features = { prefill: false, sampling: false, budget: false }
const models: Readonly<Record<string, Features>> = {
  'claude-haiku-4-5': {},
  'claude-sonnet-4-5': {},
  'claude-opus-4-6': { prefill: false },
  'claude-sonnet-4-6': { prefill: false },
  'claude-opus-5': modern,
  'claude-fable-5': { ...modern, always: true },
  // https://platform.claude.com/docs/en/models/fable-5-1/migration-guide
  'claude-fable-5-1': { ...modern, always: true, forced: false },
  'claude-mythos-5-1': { ...modern, always: true, forced: false },
  'claude-fable-5-2': { ...modern, always: true, forced: false },
  // https://platform.claude.com/docs/en/models/opus-5-5/migration-guide
  'claude-opus-5-5': { ...modern, always: true, forced: false },
  // https://platform.claude.com/docs/en/models/sonnet-5-5/migration-guide
  'claude-sonnet-5-5': { ...modern, always: true, forced: false },
}

const featuresOf = (model: string): Features => models[model] ?? {}

/**
 * "\"thinking.type.disabled\" is not supported for this model."
 * https://dev.to/persimmoq/claude-opus-55-sonnet-55-5-settings-that-return-400-when-you-only-change-the-model-name-5g36
 */
const thinking: Check = ({ thinking, tool_choice, max_tokens }, model) => {
  const { type, budget_tokens } = objectOf(thinking)
  const { always, budget } = featuresOf(model)
  if (type === 'disabled' && always)
    return '"thinking.type.disabled" is not supported for this model.'
  if (type !== 'enabled') return undefined
  if (budget === false) return '"thinking.type.enabled" is not supported for this model.'
  if (Number(budget_tokens) < 1_024 || Number(budget_tokens) >= Number(max_tokens))
    return 'max_tokens must be greater than thinking.budget_tokens'
  const { type: choice } = objectOf(tool_choice)
  return choice === 'any' || choice === 'tool'
    ? 'Thinking may not be enabled when tool_choice forces tool use.'
    : undefined
}

const forced: Check = ({ tool_choice }, model) => {
  const { type } = objectOf(tool_choice)
  return featuresOf(model).forced === false && (type === 'any' || type === 'tool')
    ? `tool_choice: type '${type}' is not supported for this model.`
    : undefined
}

/** https://github.com/ericc-ch/copilot-api/pull/261 */
const prefill: Check = ({ messages }, model) =>
  featuresOf(model).prefill === false && list(messages).at(-1)?.role === 'assistant'
    ? 'This model does not support assistant message prefill. The conversation must end with a user message.'
    : undefined

/** https://platform.claude.com/docs/en/models/sonnet-5-5/migration-guide */
const sampling: Check = (body, model) => {
  const field = ['temperature', 'top_p', 'top_k'].find(each => body[each] !== undefined)
  return field && featuresOf(model).sampling === false
    ? `${field}: this parameter is not supported for this model.`
    : undefined
}

const blocksIn = (value: unknown): Body[] =>
  list(value).flatMap(block => [block, ...blocksIn(block.content)])

/** https://github.com/continuedev/continue/pull/6937 */
const cacheMarks: Check = ({ system, messages, tools }) => {
  const blocks = [
    ...blocksIn(system),
    ...list(tools),
    ...list(messages).flatMap(({ content }) => blocksIn(content)),
  ]
  const count = blocks.filter(each => each.cache_control).length
  return count > 4
    ? `A maximum of 4 blocks with cache_control may be provided. Found ${count}.`
    : undefined
}

/** https://github.com/anthropics/claude-code/issues/59812 and 6774, https://github.com/home-assistant/core/issues/175637 */
const empty: Check = ({ messages }) => {
  const turns = list(messages)
  if (turns.length === 0) return 'messages: at least one message is required'
  if (turns.some(({ content }) => blocksIn(content).some(each => each.text === '')))
    return 'messages: text content blocks must be non-empty'
  const isBlank = (value: unknown): boolean => typeof value === 'string' && /^\s+$/.test(value)
  if (
    turns.some(
      ({ content }) => isBlank(content) || blocksIn(content).some(each => isBlank(each.text)),
    )
  )
    return 'messages: text content blocks must contain non-whitespace text'
  return turns
    .slice(0, -1)
    .some(({ content }) => content === '' || list(content).length + textOf(content).length === 0)
    ? 'all messages must have non-empty content except for the optional final assistant message'
    : undefined
}

/** https://github.com/home-assistant/core/issues/147760, https://github.com/maximhq/bifrost/issues/5097 */
const names: Check = ({ tools, messages, metadata }) => {
  if (textOf(objectOf(metadata).user_id).length > 256)
    return 'metadata.user_id: String should have at most 256 characters'
  if (list(tools).some(({ name }) => !/^[a-zA-Z0-9_-]{1,128}$/.test(textOf(name))))
    return "tools.0.custom.name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'"
  const ids = list(messages)
    .flatMap(({ content }) => list(content))
    .map(each => each.id ?? each.tool_use_id)
  return ids.some(each => each !== undefined && !/^[a-zA-Z0-9_-]+$/.test(textOf(each)))
    ? "tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'"
    : undefined
}

export const anthropic = firstOf(thinking, forced, prefill, sampling, cacheMarks, empty, names)
