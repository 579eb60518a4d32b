import type { ChatRequest, Message, Part } from '../../canon.ts'
import type { Json } from '../../json.ts'
import { encodeBlocks, mark, type Writing } from '../content-blocks.ts'

/** `system` and `messages`. Turns of the same role are one: the vendor wants them by turns. */
export const encodeMessages = (
  { messages, cache }: Pick<ChatRequest, 'messages' | 'cache'>,
  writing: Writing,
): Json => {
  const { noting } = writing
  const system: Part[] = []
  const turns: { role: string; content: Json[] }[] = []
  const lastTurn = messages.findLastIndex(each => !isInstruction(each))
  for (const [at, message] of messages.entries()) {
    if (message.name !== undefined) noting.drop('messages.name')
    noting.dropForeign(message.extra)
    // Before the last turn instructions lead; behind it they are what the caller says last.
    if (isInstruction(message) && at < lastTurn) {
      if (turns.length > 0) noting.drop('messages.system (place)')
      system.push(...message.parts)
      continue
    }
    const content = encodeBlocks(message.parts, writing)
    if (content.length === 0) continue
    const role = message.role === 'assistant' ? 'assistant' : 'user'
    const before = turns.at(-1)
    if (before?.role === role) before.content.push(...content)
    else turns.push({ role, content })
  }
  const last = turns.at(-1)
  if (cache && last) mark(last.content, cache, writing)
  const said = encodeBlocks(system, writing)
  const leading = said.filter(each => 'text' in each || 'cachePoint' in each)
  if (leading.length < said.length) noting.drop('system content')
  return leading.length > 0 ? { system: leading, messages: turns } : { messages: turns }
}

const isInstruction = ({ role }: Message): boolean => role === 'system' || role === 'developer'
