import type { Part, Signature, ThinkingPart } from '../canon.ts'
import { filledIn, isEmpty, textOf } from '../decode-values.ts'
import type { DialectId } from '../dialect-id.ts'
import type { Json } from '../json/json.ts'
import { ownFields } from '../unknown-fields.ts'

/**
 * Reasoning text is in `reasoning_content` (DeepSeek and most others) or in `reasoning` (Groq, OpenRouter). Signatures
 * are in `reasoning_details`, with a format per vendor: https://openrouter.ai/docs/guides/best-practices/reasoning-tokens
 */
const formats: Readonly<Record<DialectId, string>> = {
  anthropic: 'anthropic-claude-v1',
  'openai-responses': 'openai-responses-v1',
  gemini: 'google-gemini-v1',
  converse: 'bedrock-converse-v1',
  'openai-chat': 'unknown',
}

const summaryType = 'reasoning.summary'

const dialectOf = (format: unknown): DialectId => {
  for (const dialect in formats)
    if (formats[dialect as DialectId] === format) return dialect as DialectId
  return 'openai-chat'
}

export const decodeReasoning = (message: Json): ThinkingPart[] => {
  const text = reasoningTextOf(message)
  const parts = decodeDetails(message)
  if (parts.length === 0) return text === '' ? [] : [{ type: 'thinking', text }]
  // Streams send the text next to the details: it belongs to the first detail without text.
  if (parts.every(part => part.text === '') && text !== '') {
    const open = parts.find(part => !part.redacted)
    if (open) open.text = text
    else parts.unshift({ type: 'thinking', text })
  }
  return parts
}

export const reasoningTextOf = (message: Json): string =>
  textOf(message.reasoning_content) || textOf(message.reasoning)

/** LiteLLM sends the blocks of Anthropic beside their text: https://docs.litellm.ai/docs/reasoning_content */
export const decodeDetails = (message: Json): ThinkingPart[] => {
  const details = filledIn(message.reasoning_details)
  return details.length > 0
    ? details.map(decodeDetail)
    : filledIn(message.thinking_blocks).map(decodeThinkingBlock)
}

const decodeThinkingBlock = ({ thinking, signature, data }: Json): ThinkingPart => {
  const text = textOf(data) || textOf(signature)
  return {
    type: 'thinking',
    text: textOf(thinking),
    ...(text === '' ? {} : { signature: { dialect: 'anthropic', text } }),
    ...(isEmpty(data) ? {} : { redacted: true }),
  }
}

const decodeDetail = (detail: Json): ThinkingPart => {
  const part: ThinkingPart = {
    type: 'thinking',
    text: textOf(detail?.text) || textOf(detail?.summary),
  }
  const proof = textOf(detail?.signature) || textOf(detail?.data)
  if (proof !== '') part.signature = { dialect: dialectOf(detail.format), text: proof }
  if (typeof detail?.data === 'string' && detail.data !== '') part.redacted = true
  // Index, id and foreign format are needed to send the detail back unchanged.
  const { type, text, summary, signature, data, format, index, ...rest } = detail ?? {}
  if (!isEmpty(format) && format !== formats[part.signature?.dialect ?? 'openai-chat'])
    rest.format = format
  if (type === summaryType) rest.type = type
  for (const key in rest) if (isEmpty(rest[key])) delete rest[key]
  if (Object.keys(rest).length > 0) part.unknownFields = { dialect: 'openai-chat', fields: rest }
  return part
}

/** Encodes one detail with the signature of a thought. Its text is in `reasoning_content` too. */
export const encodeDetail = (part: ThinkingPart, index: number): Json => {
  const fields = ownFields(part.unknownFields, 'openai-chat')
  const words = fields?.type === summaryType ? 'summary' : 'text'
  return {
    ...(part.redacted
      ? { type: 'reasoning.encrypted', data: part.signature?.text ?? '' }
      : { type: 'reasoning.text', [words]: part.text }),
    ...(part.redacted || !part.signature ? {} : { signature: part.signature.text }),
    format: formats[part.signature?.dialect ?? 'openai-chat'],
    index,
    ...fields,
  }
}

/** Encodes the late signature of a streamed thought. */
export const signatureDetail = (signature: Signature, index: number): Json => ({
  type: 'reasoning.text',
  signature: signature.text,
  format: formats[signature.dialect],
  index,
})

export const encodeReasoning = (parts: readonly Part[], message: Json): void => {
  let text = ''
  let isProved = false
  let thoughts = 0
  for (const part of parts)
    if (part.type === 'thinking') {
      text += part.text
      thoughts += 1
      isProved ||= part.signature !== undefined || part.unknownFields?.dialect === 'openai-chat'
    }
  if (text !== '') message.reasoning_content = text
  if (isProved || thoughts > 1)
    message.reasoning_details = parts
      .filter(part => part.type === 'thinking')
      .map((part, index) => encodeDetail(part, index))
}
