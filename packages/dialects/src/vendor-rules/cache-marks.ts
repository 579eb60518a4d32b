import type { ChatRequest, Message, Part } from '../canon.ts'

/**
 * Marks what Claude caches: the tools, the instructions, and the last two turns of the user. The one before the last is
 * where the call before wrote, so that it is read. Four marks are the most that a request may have:
 * https://platform.claude.com/docs/en/build-with-claude/prompt-caching
 */
export const withCacheMarks = (request: ChatRequest): ChatRequest => {
  const { messages, tools } = request
  const system = messages.findLastIndex(
    ({ role }, at) =>
      isInstruction(role) && messages.slice(0, at).every(each => isInstruction(each.role)),
  )
  const turns = messages.flatMap(({ role, parts }, at) =>
    (role === 'user' || role === 'tool') && messages[at + 1]?.role !== role && hasPlace(parts)
      ? [at]
      : [],
  )
  const marked = new Set([system, ...turns.slice(-2)])
  const lastTool = tools?.findLastIndex(each => each.type === 'function') ?? -1
  return {
    ...request,
    messages: messages.map((message, at) => (marked.has(at) ? markEnd(message) : message)),
    ...(tools && {
      tools: tools.map((tool, at) =>
        at === lastTool && tool.type === 'function' ? { ...tool, cache: {} } : tool,
      ),
    }),
  }
}

const isInstruction = (role: Message['role']): boolean => role === 'system' || role === 'developer'

/** The vendor refuses a mark on an empty text. */
const isPlace = (part: Part): boolean =>
  part.type === 'text'
    ? part.text.trim() !== ''
    : part.type === 'media' || part.type === 'tool-result'

const hasPlace = (parts: readonly Part[]): boolean => parts.some(isPlace)

const markEnd = (message: Message): Message => {
  const last = message.parts.findLastIndex(isPlace)
  return {
    ...message,
    parts: message.parts.map((part, at) => (at === last ? { ...part, cache: {} } : part)),
  }
}
