import type { Json } from '../json/json.ts'
import { type FieldsFilter, listIn, type StateFilter, textIn } from './filter.ts'

/**
 * "messages.1.content.0: Invalid `signature` in `thinking` block"
 * https://github.com/ding113/claude-code-hub/issues/518
 */
export const filterMessages: FieldsFilter = ({ messages, thinking }, filter, dropped) => {
  const kept = listIn(messages).flatMap(message => {
    if (message?.role !== 'assistant' || !Array.isArray(message.content)) return [message]
    const content = message.content.flatMap((block: Json) => filterBlock(block, filter, dropped))
    // The vendor refuses a message without content.
    return content.length === 0 && message.content.length > 0 ? [] : [{ ...message, content }]
  })
  if (!dropped.has('thinking') || thinking?.type !== 'enabled' || !isInToolLoop(kept))
    return { messages: kept }
  dropped.add('the setting of thinking')
  return { messages: kept, thinking: undefined }
}

const filterBlock = (block: Json, filter: StateFilter, dropped: Set<string>): Json[] => {
  switch (block?.type) {
    case 'thinking':
      if (!filter.isForeign(textIn(block.signature))) return [block]
      dropped.add('thinking')
      return filter.keepsTexts && textIn(block.thinking).trim() !== ''
        ? [{ type: 'text', text: block.thinking }]
        : []
    case 'redacted_thinking':
      if (!filter.isForeign(textIn(block.data))) return [block]
      dropped.add('thinking')
      return []
    case 'text':
      return [withoutSources(block, filter, dropped)]
    default:
      return [block]
  }
}

const withoutSources = (block: Json, filter: StateFilter, dropped: Set<string>): Json => {
  if (filter.keepsTexts || !Array.isArray(block.citations)) return block
  const citations = block.citations.filter(
    (each: Json) => !filter.isForeign(textIn(each?.encrypted_index)),
  )
  if (citations.length === block.citations.length) return block
  dropped.add('citations')
  const { citations: _, ...rest } = block
  return citations.length > 0 ? { ...block, citations } : rest
}

/**
 * "Expected `thinking` or `redacted_thinking`, but found `text`. When `thinking` is enabled, a final `assistant` message
 * must start with a thinking block (preceeding the lastmost set of `tool_use` and `tool_result` blocks)"
 * https://github.com/lbjlaq/Antigravity-Manager/issues/139
 */
const isInToolLoop = (messages: readonly Json[]): boolean => {
  const last = messages.at(-1)
  const turn = messages.findLast(each => each?.role === 'assistant')
  const first = Array.isArray(turn?.content) ? turn.content[0]?.type : undefined
  const hasResult =
    Array.isArray(last?.content) && last.content.some((each: Json) => each?.type === 'tool_result')
  return hasResult && first !== 'thinking' && first !== 'redacted_thinking'
}
