import type { Message, Part, Role, TextPart } from '../../canon.ts'
import { filledIn, isEmpty, listOf, textOf } from '../../decode-values.ts'
import type { Json } from '../../json/json.ts'
import { ownFields, unknownFieldsOf } from '../../unknown-fields.ts'
import type { WarningCollector } from '../../warnings.ts'
import {
  decodeAudio,
  decodeContent,
  encodeContent,
  encodeGeneratedMedia,
  encodeOpaque,
  isPlain,
  noteText,
} from '../content-parts.ts'
import { decodeReasoning, encodeReasoning } from '../reasoning.ts'
import {
  decodeCall,
  decodeCitation,
  encodeCall,
  encodeCitation,
  encodeGoogleSignature,
  isEmptyCall,
  signatureIn,
} from '../tool-calls.ts'

const dialectId = 'openai-chat'
/** Roles besides `user`, which stands for any unknown role. */
const roles = new Set(['system', 'developer', 'assistant'])

export const messageKeys = new Set([
  ...['role', 'content', 'name', 'tool_calls', 'tool_call_id', 'refusal', 'audio', 'annotations'],
  ...['reasoning_content', 'reasoning', 'reasoning_details', 'function_call', 'images'],
  ...['extra_content', 'thinking_blocks'],
])

export const decodeMessage = (message: Json): Message => {
  const { role, name } = message
  const parts = decodeParts(message)
  const unknownFields = unknownFieldsOf(message, messageKeys, dialectId)
  const more = unknownFields ? { unknownFields } : {}
  const named = typeof name === 'string' && name !== '' ? { name } : {}
  if (role === 'tool' || role === 'function') {
    const id = textOf(message.tool_call_id)
    return { role: 'tool', parts: [{ type: 'tool-result', id, parts, ...named }], ...more }
  }
  return { role: roles.has(role) ? (role as Role) : 'user', parts, ...named, ...more }
}

/** Decodes the parts of a message in the order of their creation: reasoning, text, media, calls. */
export const decodeParts = (message: Json): Part[] => {
  const parts: Part[] = decodeReasoning(message)
  decodeWords(message, parts)
  if (typeof message.refusal === 'string' && message.refusal !== '')
    parts.push({ type: 'text', text: message.refusal, refusal: true })
  parts.push(...filledIn(message.images).map(decodeContent))
  if (!isEmpty(message.audio)) parts.push(decodeAudio(message.audio))
  for (const call of listOf(message.tool_calls))
    if (!isEmptyCall(call)) parts.push(decodeCall(call))
  if (!isEmpty(message.function_call)) parts.push(decodeCall({ function: message.function_call }))
  return parts
}

const decodeWords = (message: Json, parts: Part[]): void => {
  const { content, annotations } = message
  if (typeof content === 'string') {
    if (content !== '') parts.push({ type: 'text', text: content })
  } else if (Array.isArray(content))
    // Mistral's thoughts stand among the words: https://docs.mistral.ai/capabilities/reasoning/
    for (const each of content)
      if (each?.type === 'thinking')
        parts.push({ type: 'thinking', text: thinkingTextOf(each.thinking) })
      else parts.push(decodeContent(each))
  const signature = signatureIn(message)
  const citations = filledIn(annotations)
  if (!signature && citations.length === 0) return
  const text = parts.find(part => part.type === 'text')
  if (!text) return
  if (signature) text.signature = signature
  if (citations.length > 0) text.citations = citations.map(decodeCitation)
}

export const thinkingTextOf = (thinking: Json): string =>
  Array.isArray(thinking) ? thinking.map(each => textOf(each?.text)).join('') : textOf(thinking)

/** Encodes one message as several where needed: tool results are separate, and their media follow them. */
export const encodeMessages = (message: Message, warnings: WarningCollector): Json[] => {
  const { role, parts, name, unknownFields } = message
  warnings.warnForeignFields(unknownFields)
  const fields = ownFields(unknownFields, dialectId)
  const messages = parts.some(part => part.type === 'tool-result')
    ? encodeResults(parts, warnings)
    : [
        role === 'assistant'
          ? encodeTurn(parts, warnings)
          : { role: role === 'tool' ? 'user' : role, content: encodeContent(parts, warnings) },
      ]
  if (name !== undefined) messages[0].name = name
  if (fields) Object.assign(messages[0], fields)
  return messages
}

/** Vendors refuse a request with an assistant message that has neither text nor call. */
const encodeTurn = (parts: readonly Part[], warnings: WarningCollector): Json => {
  const message = encodeAssistant(parts, warnings)
  const { content, tool_calls, refusal, audio } = message
  if (content === null && !tool_calls && refusal === undefined && !audio) message.content = ''
  return message
}

const encodeResults = (parts: readonly Part[], warnings: WarningCollector): Json[] => {
  const messages: Json[] = []
  const rest: Part[] = []
  for (const part of parts) {
    if (part.type !== 'tool-result') {
      rest.push(part)
      continue
    }
    if (part.failed) warnings.warnDropped('tool-result.failed')
    warnings.warnForeignFields(part.unknownFields)
    if (part.cache) warnings.warnDropped('cache_control')
    const isShown = (each: Part): boolean => each.type === 'media' && each.text === undefined
    rest.push(...part.parts.filter(isShown))
    messages.push({
      role: 'tool',
      tool_call_id: part.id,
      ...(part.name === undefined ? {} : { name: part.name }),
      content: encodeContent(
        part.parts.filter(each => !isShown(each)),
        warnings,
      ),
    })
  }
  if (rest.length > 0) messages.push({ role: 'user', content: encodeContent(rest, warnings) })
  return messages
}

/** Encodes model output as a message. `content` is null without text. */
export const encodeAssistant = (parts: readonly Part[], warnings: WarningCollector): Json => {
  const message: Json = { role: 'assistant', content: null }
  // Texts with fields of their own need a list; otherwise they become one string.
  const words = parts.filter(part => part.type === 'text' || isOwn(part))
  const isList = words.some(part => part.type === 'opaque' || !isPlain(part))
  if (isList) message.content = encodeContent(words, warnings) || null
  encodeReasoning(parts, message)
  for (const part of parts) {
    if (part.type === 'text') encodeWords(part, message, isList, warnings)
    else if (part.type === 'tool-call') {
      message.tool_calls ??= []
      message.tool_calls.push(encodeCall(part, warnings))
    } else if (part.type === 'media') encodeGeneratedMedia(part, message, warnings)
    else if (part.type === 'opaque') encodeOpaque(part, warnings)
    else if (part.type !== 'thinking') warnings.warnDropped(part.type)
    else warnings.warnForeignFields(part.unknownFields)
  }
  return message
}

const isOwn = (part: Part): boolean => part.type === 'opaque' && part.dialect === dialectId

const encodeWords = (
  part: TextPart,
  message: Json,
  isList: boolean,
  warnings: WarningCollector,
): void => {
  noteText(part, warnings)
  if (part.signature?.dialect === 'gemini')
    message.extra_content = encodeGoogleSignature(part.signature)
  else if (part.signature) warnings.warnDropped('text.proof')
  if (part.refusal && !isList) {
    message.refusal = (message.refusal ?? '') + part.text
    return
  }
  if (part.citations) encodeCitations(part, message, warnings)
  if (!isList) message.content = (message.content ?? '') + part.text
}

const encodeCitations = (part: TextPart, message: Json, warnings: WarningCollector): void => {
  const base = typeof message.content === 'string' ? message.content.length : 0
  for (const citation of part.citations ?? []) {
    const annotation = encodeCitation(citation, base, part.text.length)
    if (annotation === undefined) warnings.warnDropped('citations')
    else {
      message.annotations ??= []
      message.annotations.push(annotation)
    }
  }
}
