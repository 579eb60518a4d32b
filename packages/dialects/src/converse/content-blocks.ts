import type { CacheControl, Part, TextPart, ThinkingPart } from '../canon.ts'
import { listOf, stringOf } from '../decode-values.ts'
import type { Json } from '../json/json.ts'
import type { WarningCollector } from '../warnings.ts'
import { decodeCitation } from './citations.ts'
import { type DocumentNames, decodeMedia, encodeMedia } from './media.ts'

const dialectId = 'converse'

/** State shared by all blocks of one request. */
export type EncodeContext = {
  warnings: WarningCollector
  names: DocumentNames
  /** The model accepts cache points. */
  acceptsCachePoints: boolean
}

/** A cache point is a separate block after the content that it covers. */
export const cachePoint = ({ ttl }: CacheControl): Json => ({
  cachePoint: ttl === undefined ? { type: 'default' } : { type: 'default', ttl },
})

export const encodeBlocks = (parts: readonly Part[], context: EncodeContext): Json[] => {
  const blocks: Json[] = []
  for (const part of parts) {
    if (part.type !== 'opaque') context.warnings.warnForeignFields(part.unknownFields)
    const block = encodeBlock(part, context)
    if (block === undefined) continue
    blocks.push(block)
    if (part.cache) addCachePoint(blocks, part.cache, context)
  }
  return blocks
}

export const addCachePoint = (
  blocks: Json[],
  cache: CacheControl,
  { acceptsCachePoints, warnings }: EncodeContext,
): void => {
  if (acceptsCachePoints) blocks.push(cachePoint(cache))
  else warnings.warnDropped('cache marks')
}

/** Returns undefined, with a warning, for a part without a matching block. */
const encodeBlock = (part: Part, context: EncodeContext): Json => {
  const { warnings, names } = context
  switch (part.type) {
    case 'text':
      return encodeText(part, warnings)
    case 'thinking':
      return encodeThinking(part, warnings)
    case 'media':
      return encodeMedia(part, names, warnings)
    case 'tool-call': {
      if (part.signature) warnings.warnDropped('tool-call.proof')
      const input = part.custom ? { input: part.input } : parseInput(part.input)
      return { toolUse: { toolUseId: part.id, name: part.name, input } }
    }
    case 'tool-result':
      return encodeResult(part, context)
    case 'opaque':
      warnings.warnDropped(stringOf((part.value as Json)?.type) || 'opaque')
      return undefined
  }
}

const encodeText = ({ text, citations, signature }: TextPart, warnings: WarningCollector): Json => {
  if (signature) warnings.warnDropped('text.proof')
  // The vendor rejects blank text.
  if (text.trim() === '') {
    if (text !== '') warnings.warnDropped('blank text')
    return undefined
  }
  const ownCitations = citations?.flatMap(({ raw }) =>
    raw?.dialect === dialectId ? [raw.value] : [],
  )
  if (citations && ownCitations?.length !== citations.length) warnings.warnDropped('citations')
  return ownCitations && ownCitations.length > 0
    ? { citationsContent: { content: [{ text }], citations: ownCitations } }
    : { text }
}

/** Every model rejects thinking blocks without its own signature. */
const encodeThinking = (
  { text, signature, redacted }: ThinkingPart,
  warnings: WarningCollector,
): Json => {
  if (signature?.dialect !== dialectId) {
    warnings.warnDropped('thinking without a signature')
    return undefined
  }
  return redacted
    ? { reasoningContent: { redactedContent: signature.text } }
    : { reasoningContent: { reasoningText: { text, signature: signature.text } } }
}

const encodeResult = (part: Part & { type: 'tool-result' }, context: EncodeContext): Json => {
  const encoded = encodeBlocks(part.parts, { ...context, acceptsCachePoints: false })
  const content = encoded.filter(each => resultBlockTypes.some(key => key in each))
  if (content.length < encoded.length) context.warnings.warnDropped('tool-result content')
  return {
    toolResult: {
      toolUseId: part.id,
      // The vendor rejects empty results and blank text.
      content: content.length > 0 ? content : [{ json: {} }],
      ...(part.failed ? { status: 'error' } : {}),
    },
  }
}

const resultBlockTypes = ['text', 'image', 'document', 'video'] as const

/** Returns an object for any text, because tool inputs are objects in this dialect. */
const parseInput = (input: string): Json => {
  if (input === '') return {}
  try {
    const value: unknown = JSON.parse(input)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? value
      : { input: value }
  } catch {
    return { input }
  }
}

export const decodeBlock = (block: Json): Part =>
  decodeKnown(block) ?? { type: 'opaque', dialect: dialectId, value: block }

const decodeKnown = (block: Json): Part | undefined => {
  if (typeof block?.text === 'string') return { type: 'text', text: block.text }
  if (block?.toolUse) return decodeCall(block.toolUse)
  if (block?.reasoningContent) return decodeThinking(block.reasoningContent)
  if (block?.citationsContent) return decodeCited(block.citationsContent)
  return decodeMedia(block)
}

/** Calls of server tools are opaque, because the caller must not answer them. */
const decodeCall = ({ toolUseId, name, input, type }: Json): Part | undefined =>
  type === 'server_tool_use'
    ? undefined
    : {
        type: 'tool-call',
        id: stringOf(toolUseId),
        name: stringOf(name),
        input: input === undefined || input === null ? '' : JSON.stringify(input),
      }

const decodeThinking = ({ reasoningText, redactedContent }: Json): Part | undefined => {
  if (typeof redactedContent === 'string') return redactedPart(redactedContent)
  if (typeof reasoningText !== 'object' || reasoningText === null) return undefined
  const { text, signature } = reasoningText
  const part: ThinkingPart = { type: 'thinking', text: stringOf(text) }
  if (stringOf(signature) !== '') part.signature = { dialect: dialectId, text: signature }
  return part
}

export const redactedPart = (text: string): ThinkingPart => ({
  type: 'thinking',
  text: '',
  redacted: true,
  signature: { dialect: dialectId, text },
})

const decodeCited = ({ content, citations }: Json): Part => ({
  type: 'text',
  text: listOf(content)
    .map(each => stringOf(each?.text))
    .join(''),
  ...(listOf(citations).length > 0 ? { citations: citations.map(decodeCitation) } : {}),
})
