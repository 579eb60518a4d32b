import type { ChatRequest, Message, Part, Tool } from '../canon.ts'

/** The text that a custom tool takes, as the one field of an object. */
const textSchema = {
  type: 'object',
  properties: { input: { type: 'string' } },
  required: ['input'],
}

type WithFunctions = { request: ChatRequest; notes: readonly string[] }

/** Custom tools as functions. A call of one comes back as the caller declared it: see `unwrapCustomCall`. */
export const withFunctionTools = (request: ChatRequest): WithFunctions => {
  const { tools = [], messages, toolChoice } = request
  const isCustom = tools.some(each => each.type === 'custom')
  if (!isCustom && !messages.some(({ parts }) => parts.some(isCustomPart)))
    return { request, notes: [] }
  const changed: ChatRequest = { ...request, messages: messages.map(withFunctionCalls) }
  if (isCustom) changed.tools = tools.map(functionOf)
  if (toolChoice?.type === 'tool') changed.toolChoice = { type: 'tool', name: toolChoice.name }
  const hasGrammar = tools.some(
    each => each.type === 'custom' && (each.format as { type?: unknown })?.type === 'grammar',
  )
  return { request: changed, notes: hasGrammar ? ['tools.custom.format'] : [] }
}

const functionOf = (tool: Tool): Tool => {
  if (tool.type !== 'custom') return tool
  const { format: _, ...rest } = tool
  return { ...rest, type: 'function', schema: textSchema }
}

const isCustomPart = (part: Part): boolean =>
  (part.type === 'tool-call' || part.type === 'tool-result') && part.custom === true

const withFunctionCalls = (message: Message): Message =>
  message.parts.some(isCustomPart)
    ? { ...message, parts: message.parts.map(functionPartOf) }
    : message

const functionPartOf = (part: Part): Part => {
  if ((part.type !== 'tool-call' && part.type !== 'tool-result') || !part.custom) return part
  const { custom: _, ...rest } = part
  return rest.type === 'tool-call'
    ? { ...rest, input: JSON.stringify({ input: rest.input }) }
    : rest
}
