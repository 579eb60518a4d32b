import type { Json } from '../json/json.ts'
import { type FieldsFilter, listIn, type StateFilter, textIn } from './filter.ts'

/** "messages.7.content.2: Invalid signature in thinking block" https://github.com/linanwx/nagobot/issues/21 */
export const filterMessages: FieldsFilter = ({ messages }, filter, dropped) => ({
  messages: listIn(messages).flatMap(message => {
    if (message?.role !== 'assistant' || !Array.isArray(message.content)) return [message]
    const content = message.content.flatMap((block: Json) => filterBlock(block, filter, dropped))
    return content.length === 0 ? [] : [{ ...message, content }]
  }),
})

const filterBlock = (block: Json, filter: StateFilter, dropped: Set<string>): Json[] => {
  const reasoning = block?.reasoningContent
  if (!reasoning) return [block]
  const { reasoningText, redactedContent } = reasoning
  if (!filter.isForeign(textIn(reasoningText?.signature ?? redactedContent))) return [block]
  dropped.add('thinking')
  const text = textIn(reasoningText?.text)
  return filter.keepsTexts && text.trim() !== '' ? [{ text }] : []
}
