import type {
  CacheControl,
  MediaPart,
  OpaquePart,
  Part,
  ThinkingPart,
  ToolResultPart,
} from '../canon.ts'
import { decodeSignature, encodeSignature } from '../canon.ts'
import { isEmpty, stringOf } from '../decode-values.ts'
import type { Json } from '../json/json.ts'
import { ownFields, unknownFieldsOf } from '../unknown-fields.ts'
import { typeNameOf, type WarningCollector } from '../warnings.ts'
import { decodeCitation, encodeCitation, type Target } from './citations.ts'

const dialectId = 'anthropic'
const keys = new Set([
  ...['type', 'text', 'citations', 'cache_control', 'thinking', 'signature'],
  ...['data', 'id', 'name', 'input', 'tool_use_id', 'content', 'is_error'],
])

export const decodeBlock = (block: Json): Part => {
  const part = decodeKnown(block)
  if (!part) return decodeOpaque(block)
  const cache = decodeCache(block.cache_control)
  if (cache) part.cache = cache
  const unknownFields = unknownFieldsOf(block, part.type === 'media' ? mediaKeys : keys, dialectId)
  if (unknownFields) part.unknownFields = unknownFields
  return part
}

/** `citations` is missing here: on a document it is a setting, not a list of sources. */
const mediaKeys = new Set(['type', 'source', 'title', 'cache_control'])

export const decodeCache = (mark: Json): CacheControl | undefined =>
  mark?.type !== 'ephemeral' ? undefined : mark.ttl === undefined ? {} : { ttl: mark.ttl }

export const encodeCache = ({ ttl }: CacheControl): Json =>
  ttl === undefined ? { type: 'ephemeral' } : { type: 'ephemeral', ttl }

const decodeKnown = (block: Json): Part | undefined => {
  switch (block?.type) {
    case 'text': {
      if (typeof block.text !== 'string') return undefined
      const { citations } = block
      if (!Array.isArray(citations) || citations.length === 0)
        return { type: 'text', text: block.text }
      return { type: 'text', text: block.text, citations: citations.map(decodeCitation) }
    }
    case 'thinking':
      return decodeThinking(block)
    case 'redacted_thinking':
      return {
        type: 'thinking',
        text: '',
        redacted: true,
        signature: decodeSignature(stringOf(block.data), dialectId),
      }
    case 'image':
    case 'document':
      return decodeMedia(block)
    case 'tool_use':
      return {
        type: 'tool-call',
        id: block.id ?? '',
        name: block.name ?? '',
        input: inputOf(block.input),
      }
    case 'tool_result':
      return {
        type: 'tool-result',
        id: block.tool_use_id ?? '',
        parts: decodeBlocks(block.content),
        ...(block.is_error === true ? { failed: true } : {}),
      }
    default:
      return undefined
  }
}

/** Relays leave out a text that is empty, or send null. */
export const withText = (block: Json): Json =>
  block?.type === 'text' && (block.text ?? null) === null ? { ...block, text: '' } : block

const inputOf = (input: unknown): string =>
  input === undefined || input === null ? '' : JSON.stringify(input)

export const decodeThinking = ({ thinking, signature }: Json): ThinkingPart => {
  const text = typeof thinking === 'string' ? thinking : ''
  return typeof signature === 'string' && signature !== ''
    ? { type: 'thinking', text, signature: decodeSignature(signature, dialectId) }
    : { type: 'thinking', text }
}

const decodeMedia = ({ type, source, title }: Json): MediaPart | undefined => {
  const named = typeof title === 'string' ? { name: title } : {}
  const mime = type === 'image' ? 'image/*' : 'application/pdf'
  switch (source?.type) {
    case 'base64':
      return {
        type: 'media',
        mime: stringOf(source.media_type) || mime,
        base64: source.data,
        ...named,
      }
    case 'url':
      return { type: 'media', mime, url: source.url, ...named }
    case 'file':
      return { type: 'media', mime, file: source.file_id, ...named }
    case 'text':
      return { type: 'media', mime: 'text/plain', text: source.data, ...named }
    default:
      return undefined
  }
}

/** Names the field of an opaque block that streams in deltas. */
const streamedField = (type: unknown): 'input' | 'content' | undefined => {
  if (typeof type !== 'string') return undefined
  return type.endsWith('_tool_use') ? 'input' : type === 'compaction' ? 'content' : undefined
}

export const decodeOpaque = (block: Json): OpaquePart => {
  const field = streamedField(block?.type)
  if (!field) return { type: 'opaque', dialect: dialectId, value: block }
  const { [field]: grown, ...value } = block
  const text = typeof grown === 'string' ? grown : inputOf(grown)
  if (text === '' || text === '{}') return { type: 'opaque', dialect: dialectId, value }
  return { type: 'opaque', dialect: dialectId, value, streamedText: text }
}

const encodeOpaque = ({ value, streamedText, unknownFields }: OpaquePart): Json => {
  const field = streamedField((value as Json)?.type)
  if (!field && !unknownFields) return value
  const block: Json = { ...(value as object) }
  if (field === 'input') block.input = parseInput(streamedText)
  else if (field) block.content = streamedText ?? null
  return block
}

/** Returns an object for any text, because tool inputs are objects in this dialect. */
export const parseInput = (input: string | undefined): Json => {
  if (input === undefined || input === '') return {}
  try {
    const value: unknown = JSON.parse(input)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? value
      : { input: value }
  } catch {
    return { input }
  }
}

const isNamelessCall = ({ type, name, id }: Json): boolean =>
  type === 'tool_use' && name === '' && id === ''

/** A block without a kind, or a call without anything in it. */
export const isEmptyBlock = (block: Json): boolean => {
  if (block === null || block === undefined) return false
  const { type, ...fields } = block
  const isKindless = type === undefined || type === ''
  return isEmpty(fields) && (isKindless || type === 'redacted_thinking' || isNamelessCall(block))
}

/** Decodes `content`, which is a string or a list of blocks. */
export const decodeBlocks = (content: Json, origin: Target = 'request'): Part[] => {
  if (typeof content === 'string') return content === '' ? [] : [{ type: 'text', text: content }]
  if (!Array.isArray(content)) return []
  const blocks =
    origin === 'answer' ? content.filter(each => !isEmptyBlock(each)).map(withText) : content
  const parts = blocks.map(decodeBlock)
  return parts.some(isForeignSignature) ? reattachSignatures(parts) : parts
}

/**
 * Gemini signs text and tool calls, which have no signature field here. A redacted thinking block carries the signature
 * before its part, or after it with a leading colon.
 */
const isForeignSignature = (part: Part): boolean =>
  part.type === 'thinking' && part.redacted === true && part.signature?.dialect === 'gemini'

const reattachSignatures = (parts: readonly Part[]): Part[] => {
  const result: Part[] = []
  for (let at = 0; at < parts.length; at += 1) {
    const part = parts[at]!
    const signature =
      isForeignSignature(part) && part.type === 'thinking' ? part.signature : undefined
    const isAfter = signature?.text.startsWith(':')
    const target = isAfter ? result.at(-1) : parts[at + 1]
    if (!signature || (target?.type !== 'text' && target?.type !== 'tool-call')) result.push(part)
    else
      target.signature = isAfter
        ? { dialect: signature.dialect, text: signature.text.slice(1) }
        : signature
  }
  return result
}

/** A part without a matching block becomes a warning; a foreign signature adds a block before its part. */
export const encodeBlocks = (
  parts: readonly Part[],
  target: Target,
  warnings: WarningCollector,
): Json[] => {
  const blocks: Json[] = []
  for (const part of parts) {
    const foreignSignature = (part.type === 'text' || part.type === 'tool-call') && part.signature
    if (foreignSignature && target === 'answer')
      blocks.push({ type: 'redacted_thinking', data: encodeSignature(foreignSignature, dialectId) })
    else if (foreignSignature) warnings.warnDropped(`${part.type}.proof`)
    const block = encodeBlock(part, target, warnings)
    if (!block) continue
    if (part.cache) block.cache_control = encodeCache(part.cache)
    warnings.warnForeignFields(part.unknownFields)
    blocks.push(Object.assign(block, ownFields(part.unknownFields, dialectId)))
  }
  return blocks
}

const encodeBlock = (part: Part, target: Target, warnings: WarningCollector): Json => {
  switch (part.type) {
    case 'text': {
      // The vendor rejects empty text blocks.
      if (part.text === '' && !part.citations) return undefined
      const citations = part.citations?.map(each => encodeCitation(each, target)).filter(Boolean)
      if (part.citations && citations?.length !== part.citations.length)
        warnings.warnDropped('citations')
      return citations && citations.length > 0
        ? { type: 'text', text: part.text, citations }
        : { type: 'text', text: part.text }
    }
    case 'thinking':
      return encodeThinking(part, target, warnings)
    case 'media':
      return target === 'answer' ? dropMedia(part, warnings) : encodeMedia(part, warnings)
    case 'tool-call':
      return {
        type: 'tool_use',
        id: part.id,
        name: part.name,
        input: part.custom ? { input: part.input } : parseInput(part.input),
      }
    case 'tool-result':
      return encodeResult(part, warnings)
    case 'opaque':
      if (part.dialect === dialectId) return encodeOpaque(part)
      warnings.warnDropped(typeNameOf(part.value))
      return undefined
  }
}

/** The vendor rejects thinking blocks without its own signature. */
const encodeThinking = (part: ThinkingPart, target: Target, warnings: WarningCollector): Json => {
  const { text, signature, redacted } = part
  if (target === 'request' && signature?.dialect !== dialectId) {
    warnings.warnDropped('thinking without a signature')
    return undefined
  }
  const encoded = signature ? encodeSignature(signature, dialectId) : ''
  if (redacted) return { type: 'redacted_thinking', data: encoded }
  return { type: 'thinking', thinking: text, signature: encoded }
}

const encodeResult = (part: ToolResultPart, warnings: WarningCollector): Json => {
  const { id, parts, failed } = part
  const content = encodeBlocks(parts, 'request', warnings)
  const [only] = parts
  const isText = parts.length === 1 && only?.type === 'text' && !only.cache && !only.unknownFields
  const block: Json = { type: 'tool_result', tool_use_id: id }
  if (content.length > 0) block.content = isText ? only.text : content
  if (failed) block.is_error = true
  return block
}

/**
 * Clients refuse an answer with media. Blocks of an answer:
 * https://platform.claude.com/docs/en/api/messages/create
 */
const dropMedia = ({ mime }: MediaPart, warnings: WarningCollector): undefined => {
  warnings.warnDropped(`media ${mime}`)
}

const imageMime = /^image\//

/** https://platform.claude.com/docs/en/api/messages/create: a title has 1 to 500 characters. */
const titleMax = 500

const encodeMedia = (part: MediaPart, warnings: WarningCollector): Json => {
  const { mime, url, file, name } = part
  if (part.detail !== undefined && part.detail !== 'auto') warnings.warnDropped('image detail')
  const type = imageMime.test(mime) ? 'image' : 'document'
  const source = sourceOf(part)
  const isReadable =
    imageMime.test(mime) ||
    mime === 'application/pdf' ||
    file !== undefined ||
    mime.startsWith('text/')
  if (!source || !(isReadable || (url !== undefined && mime === 'application/octet-stream'))) {
    // https://platform.claude.com/docs/en/build-with-claude/pdf-support: images, PDF and plain text.
    warnings.warnDropped(`media ${mime}`)
    return undefined
  }
  return type === 'document' && name !== undefined && name !== ''
    ? { type, source, title: name.slice(0, titleMax) }
    : { type, source }
}

const sourceOf = ({ mime, url, base64, file, text }: MediaPart): Json => {
  if (text !== undefined) return { type: 'text', media_type: 'text/plain', data: text }
  if (base64 !== undefined && mime.startsWith('text/')) {
    const data = Buffer.from(base64, 'base64').toString()
    return { type: 'text', media_type: 'text/plain', data }
  }
  if (base64 !== undefined) return { type: 'base64', media_type: mime, data: base64 }
  if (url !== undefined) return { type: 'url', url }
  return file === undefined ? undefined : { type: 'file', file_id: file }
}
