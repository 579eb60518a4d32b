import type { CacheControl, ChatRequest, Message, Part, Tool } from '../canon.ts'

type Marked = { cache?: CacheControl }

/** Removes marks beyond the limit. The first mark and the last ones save most. */
export const limitCacheMarks = (request: ChatRequest, max: number): ChatRequest => {
  const { tools = [], messages } = request
  const limit = request.cache ? max - 1 : max
  const marked: Marked[] = [
    ...tools.filter(isMarked),
    ...messages.flatMap(({ parts }) => parts.flatMap(marksIn)),
  ]
  if (marked.length <= limit) return request
  const kept = new Set([marked[0], ...marked.slice(marked.length - limit + 1)])
  const unmark = <Item extends Marked>(item: Item): Item => {
    if (item.cache === undefined || kept.has(item)) return item
    const { cache, ...rest } = item
    return rest as Item
  }
  return {
    ...request,
    ...(request.tools && { tools: tools.map(each => unmarkTool(each, unmark)) }),
    messages: messages.map(
      (each): Message => ({ ...each, parts: unmarkParts(each.parts, unmark) }),
    ),
  }
}

type Unmark = <Item extends Marked>(item: Item) => Item

const isMarked = (tool: Tool): tool is Exclude<Tool, { type: 'opaque' }> =>
  tool.type !== 'opaque' && tool.cache !== undefined

const marksIn = (part: Part): Marked[] => [
  ...(part.type === 'tool-result' ? part.parts.flatMap(marksIn) : []),
  ...(part.cache ? [part] : []),
]

const unmarkTool = (tool: Tool, unmark: Unmark): Tool =>
  tool.type === 'opaque' ? tool : unmark(tool)

const unmarkParts = (parts: Part[], unmark: Unmark): Part[] =>
  parts.map(part => {
    const own = unmark(part)
    return own.type === 'tool-result' ? { ...own, parts: unmarkParts(own.parts, unmark) } : own
  })
