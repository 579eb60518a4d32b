import type { Message, Part } from '../../canon.ts'
import { ownFields, restOf } from '../../extra.ts'
import type { Json } from '../../json.ts'
import type { Noting } from '../../notes.ts'
import { decodeBlocks, encodeBlocks } from '../content-blocks.ts'

const own = 'anthropic'
const keys = new Set(['role', 'content'])

export const decodeMessages = (body: Json): Message[] => {
  const messages: Message[] = body.messages.map(decodeMessage)
  const system = decodeBlocks(body.system)
  return system.length > 0 ? [{ role: 'system', parts: system }, ...messages] : messages
}

const decodeMessage = (message: Json): Message => {
  const { role } = message
  const decoded: Message = {
    role: role === 'assistant' || role === 'system' ? role : 'user',
    parts: decodeBlocks(message.content),
  }
  const extra = restOf(message, keys, own)
  if (extra) decoded.extra = extra
  // New models take it where it stands; it is not the one that leads.
  if (role === 'system') decoded.extra = { dialect: own, fields: { ...extra?.fields, role } }
  return decoded
}

/** `system` and `messages`. */
export const encodeMessages = (messages: readonly Message[], noting: Noting): Json => {
  const system: Part[] = []
  const written: Json[] = []
  const lastTurn = messages.findLastIndex(each => !isInstruction(each))
  let isResult = false
  for (const [at, message] of messages.entries()) {
    if (message.name !== undefined) noting.drop('messages.name')
    noting.dropForeign(message.extra)
    if (isInstruction(message) && at < lastTurn) {
      if (written.length > 0) noting.drop('messages.system (place)')
      system.push(...message.parts)
      continue
    }
    const blocks = encodeBlocks(message.parts, 'request', noting)
    if (blocks.length === 0) continue
    const before = written.at(-1)
    // What several tools say belongs into one message, and the caller's words behind it.
    if (isResult && before && message.role !== 'assistant') {
      before.content.push(...blocks)
      isResult = message.role === 'tool'
      continue
    }
    isResult = message.role === 'tool'
    const role = message.role === 'assistant' ? 'assistant' : 'user'
    const turn = { role, content: isResult ? blocks : shortened(blocks) }
    written.push(Object.assign(turn, ownFields(message.extra, own)))
  }
  const blocks = encodeBlocks(system, 'request', noting)
  return blocks.length > 0
    ? { system: shortened(blocks), messages: written }
    : { messages: written }
}

/** Before the last turn they lead; behind it they are what the caller says last. */
const isInstruction = ({ role, extra }: Message): boolean =>
  (role === 'system' || role === 'developer') && ownFields(extra, own)?.role === undefined

/** One text without a mark is written as one. */
const shortened = (blocks: Json[]): string | Json[] => {
  const [only] = blocks
  const isText = blocks.length === 1 && only.type === 'text' && Object.keys(only).length === 2
  return isText ? only.text : blocks
}
