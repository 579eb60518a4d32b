import type { ChatRequest, Message, Part } from '../../canon.ts'
import type { Json } from '../../json/json.ts'
import { withoutTrailingBlanks } from '../../vendor-rules/trailing-blanks.ts'
import { addCachePoint, type EncodeContext, encodeBlocks } from '../content-blocks.ts'

/** Returns `system` and `messages`. Messages of one role are merged, because the vendor requires alternating roles. */
export const encodeMessages = (
  { messages: given, cache }: Pick<ChatRequest, 'messages' | 'cache'>,
  context: EncodeContext,
): Json => {
  const { warnings } = context
  const messages = withoutTrailingBlanks(given)
  const system: Part[] = []
  const turns: { role: string; content: Json[] }[] = []
  const lastTurn = messages.findLastIndex(each => !isSystemMessage(each))
  for (const [at, message] of messages.entries()) {
    if (message.name !== undefined) warnings.warnDropped('messages.name')
    warnings.warnForeignFields(message.unknownFields)
    // System messages before the last turn move to `system`; later ones become user messages.
    if (isSystemMessage(message) && at < lastTurn) {
      if (turns.length > 0) warnings.warnDropped('messages.system (place)')
      system.push(...message.parts)
      continue
    }
    const content = encodeBlocks(message.parts, context)
    if (content.length === 0) continue
    const role = message.role === 'assistant' ? 'assistant' : 'user'
    const previousTurn = turns.at(-1)
    if (previousTurn?.role === role) previousTurn.content.push(...content)
    else turns.push({ role, content })
  }
  const last = turns.at(-1)
  if (cache && last) addCachePoint(last.content, cache, context)
  const systemBlocks = encodeBlocks(system, context)
  const leading = systemBlocks.filter(each => 'text' in each || 'cachePoint' in each)
  if (leading.length < systemBlocks.length) warnings.warnDropped('system content')
  return leading.length > 0 ? { system: leading, messages: turns } : { messages: turns }
}

const isSystemMessage = ({ role }: Message): boolean => role === 'system' || role === 'developer'
