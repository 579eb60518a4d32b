import type { Message, Part } from '../../canon.ts'
import type { Json } from '../../json/json.ts'
import { ownFields, unknownFieldsOf } from '../../unknown-fields.ts'
import { withoutTrailingBlanks } from '../../vendor-rules/trailing-blanks.ts'
import type { WarningCollector } from '../../warnings.ts'
import { decodeBlocks, encodeBlocks } from '../content-blocks.ts'

const dialectId = 'anthropic'
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
  const unknownFields = unknownFieldsOf(message, keys, dialectId)
  if (unknownFields) decoded.unknownFields = unknownFields
  // New models accept system messages in the middle; the mark tells one from the leading `system` field.
  if (role === 'system')
    decoded.unknownFields = { dialect: dialectId, fields: { ...unknownFields?.fields, role } }
  return decoded
}

/** Returns the fields `system` and `messages`. */
export const encodeMessages = (given: readonly Message[], warnings: WarningCollector): Json => {
  const messages = withoutTrailingBlanks(given)
  const system: Part[] = []
  const turns: Json[] = []
  const lastTurn = messages.findLastIndex(each => !isLeadingInstruction(each))
  let isResult = false
  for (const [at, message] of messages.entries()) {
    if (message.name !== undefined) warnings.warnDropped('messages.name')
    warnings.warnForeignFields(message.unknownFields)
    if (isLeadingInstruction(message) && at < lastTurn) {
      if (turns.length > 0) warnings.warnDropped('messages.system (place)')
      system.push(...message.parts)
      continue
    }
    const blocks = encodeBlocks(message.parts, 'request', warnings)
    if (blocks.length === 0) continue
    const previous = turns.at(-1)
    // Results of parallel calls share one user message, which also takes the user text after them.
    if (isResult && previous && message.role !== 'assistant') {
      previous.content.push(...blocks)
      isResult = message.role === 'tool'
      continue
    }
    isResult = message.role === 'tool'
    const role = message.role === 'assistant' ? 'assistant' : 'user'
    const turn = { role, content: isResult ? blocks : textIfSingle(blocks) }
    turns.push(Object.assign(turn, ownFields(message.unknownFields, dialectId)))
  }
  const blocks = encodeBlocks(system, 'request', warnings)
  return blocks.length > 0 ? { system: textIfSingle(blocks), messages: turns } : { messages: turns }
}

/** System messages before the last turn move to `system`; later ones become user messages. */
const isLeadingInstruction = ({ role, unknownFields }: Message): boolean =>
  (role === 'system' || role === 'developer') &&
  ownFields(unknownFields, dialectId)?.role === undefined

/** A single text block without other fields is sent as a plain string. */
const textIfSingle = (blocks: Json[]): string | Json[] => {
  const [only] = blocks
  const isText = blocks.length === 1 && only.type === 'text' && Object.keys(only).length === 2
  return isText ? only.text : blocks
}
