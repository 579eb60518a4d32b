import type { Cache, MediaPart, OpaquePart, Part, ThinkingPart, ToolResultPart } from '../canon.ts'
import { openProof, sealProof } from '../canon.ts'
import { ownFields, restOf, stringOf } from '../extra.ts'
import type { Json } from '../json.ts'
import { kindOf, type Noting } from '../notes.ts'
import { decodeCitation, encodeCitation } from './citations.ts'

const own = 'anthropic'
const keys = new Set([
  ...['type', 'text', 'citations', 'cache_control', 'thinking', 'signature'],
  ...['data', 'id', 'name', 'input', 'tool_use_id', 'content', 'is_error'],
])

/** Where a block is written: an answer may carry what only another vendor can check, a request may not. */
export type Place = 'request' | 'reply'

export const decodeBlock = (block: Json): Part => {
  const made = decodeOne(block)
  if (!made) return decodeOpaque(block)
  const cache = decodeCache(block.cache_control)
  if (cache) made.cache = cache
  const extra = restOf(block, made.type === 'media' ? mediaKeys : keys, own)
  if (extra) made.extra = extra
  return made
}

/** A document's `citations` is its switch, not a list of sources. */
const mediaKeys = new Set(['type', 'source', 'title', 'cache_control'])

export const decodeCache = (mark: Json): Cache | undefined =>
  mark?.type !== 'ephemeral' ? undefined : mark.ttl === undefined ? {} : { ttl: mark.ttl }

export const encodeCache = ({ ttl }: Cache): Json =>
  ttl === undefined ? { type: 'ephemeral' } : { type: 'ephemeral', ttl }

const decodeOne = (block: Json): Part | undefined => {
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
        proof: openProof(stringOf(block.data), own),
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

const inputOf = (input: unknown): string =>
  input === undefined || input === null ? '' : JSON.stringify(input)

export const decodeThinking = ({ thinking, signature }: Json): ThinkingPart => {
  const text = typeof thinking === 'string' ? thinking : ''
  return typeof signature === 'string' && signature !== ''
    ? { type: 'thinking', text, proof: openProof(signature, own) }
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

/** What of an opaque block comes in pieces: the input of a server's tool, the words of a summary. */
const growing = (type: unknown): 'input' | 'content' | undefined => {
  if (typeof type !== 'string') return undefined
  return type.endsWith('_tool_use') ? 'input' : type === 'compaction' ? 'content' : undefined
}

export const decodeOpaque = (block: Json): OpaquePart => {
  const field = growing(block?.type)
  if (!field) return { type: 'opaque', dialect: own, value: block }
  const { [field]: grown, ...value } = block
  const text = typeof grown === 'string' ? grown : inputOf(grown)
  if (text === '' || text === '{}') return { type: 'opaque', dialect: own, value }
  return { type: 'opaque', dialect: own, value, grown: text }
}

const encodeOpaque = ({ value, grown, extra }: OpaquePart): Json => {
  const field = growing((value as Json)?.type)
  if (!field && !extra) return value
  const block: Json = { ...(value as object) }
  if (field === 'input') block.input = parsed(grown)
  else if (field) block.content = grown ?? null
  return block
}

/** An object, whatever the model wrote: the dialect has no place for anything else. */
export const parsed = (input: string | undefined): Json => {
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

/** Content as this dialect writes it: a text, or blocks. */
export const decodeBlocks = (content: Json): Part[] => {
  if (typeof content === 'string') return content === '' ? [] : [{ type: 'text', text: content }]
  if (!Array.isArray(content)) return []
  const parts = content.map(decodeBlock)
  return parts.some(isLent) ? returned(parts) : parts
}

/**
 * A proof of a vendor that signs words and calls themselves has no field here: it stands in a block of its own before
 * what it proves (with a colon more: behind it), and goes back to its part when the caller sends it.
 */
const isLent = (part: Part): boolean =>
  part.type === 'thinking' && part.redacted === true && part.proof?.by === 'gemini'

const returned = (parts: readonly Part[]): Part[] => {
  const kept: Part[] = []
  for (let at = 0; at < parts.length; at += 1) {
    const part = parts[at]!
    const proof = isLent(part) && part.type === 'thinking' ? part.proof : undefined
    const isBehind = proof?.text.startsWith(':')
    const owner = isBehind ? kept.at(-1) : parts[at + 1]
    if (!proof || (owner?.type !== 'text' && owner?.type !== 'tool-call')) kept.push(part)
    else owner.proof = isBehind ? { by: proof.by, text: proof.text.slice(1) } : proof
  }
  return kept
}

/** Undefined: this dialect has no such block. Several where a proof stands before its part. */
export const encodeBlocks = (parts: readonly Part[], place: Place, noting: Noting): Json[] => {
  const blocks: Json[] = []
  for (const part of parts) {
    const lent = (part.type === 'text' || part.type === 'tool-call') && part.proof
    if (lent && place === 'reply')
      blocks.push({ type: 'redacted_thinking', data: sealProof(lent, own) })
    else if (lent) noting.drop(`${part.type}.proof`)
    const block = encodeOne(part, place, noting)
    if (!block) continue
    if (part.cache) block.cache_control = encodeCache(part.cache)
    noting.dropForeign(part.extra)
    blocks.push(Object.assign(block, ownFields(part.extra, own)))
  }
  return blocks
}

const encodeOne = (part: Part, place: Place, noting: Noting): Json => {
  switch (part.type) {
    case 'text': {
      // An empty block is refused.
      if (part.text === '' && !part.citations) return undefined
      const citations = part.citations?.map(each => encodeCitation(each, place)).filter(Boolean)
      if (part.citations && citations?.length !== part.citations.length) noting.drop('citations')
      return citations && citations.length > 0
        ? { type: 'text', text: part.text, citations }
        : { type: 'text', text: part.text }
    }
    case 'thinking':
      return encodeThinking(part, place, noting)
    case 'media':
      return encodeMedia(part, noting)
    case 'tool-call':
      return {
        type: 'tool_use',
        id: part.id,
        name: part.name,
        input: part.custom ? { input: part.input } : parsed(part.input),
      }
    case 'tool-result':
      return encodeResult(part, noting)
    case 'opaque':
      if (part.dialect === own) return encodeOpaque(part)
      noting.drop(kindOf(part.value))
      return undefined
  }
}

/** The vendor refuses thoughts that it did not sign. */
const encodeThinking = (part: ThinkingPart, place: Place, noting: Noting): Json => {
  const { text, proof, redacted } = part
  if (place === 'request' && proof?.by !== own) {
    noting.drop('thinking without a signature')
    return undefined
  }
  const sealed = proof ? sealProof(proof, own) : ''
  if (redacted) return { type: 'redacted_thinking', data: sealed }
  return { type: 'thinking', thinking: text, signature: sealed }
}

const encodeResult = (part: ToolResultPart, noting: Noting): Json => {
  const { id, parts, failed } = part
  const content = encodeBlocks(parts, 'request', noting)
  const [only] = parts
  const isText = parts.length === 1 && only?.type === 'text' && !only.cache && !only.extra
  const block: Json = { type: 'tool_result', tool_use_id: id }
  if (content.length > 0) block.content = isText ? only.text : content
  if (failed) block.is_error = true
  return block
}

const images = /^image\//

const encodeMedia = (part: MediaPart, noting: Noting): Json => {
  const { mime, url, file, name } = part
  if (part.detail !== undefined && part.detail !== 'auto') noting.drop('image detail')
  const type = images.test(mime) ? 'image' : 'document'
  const source = sourceOf(part)
  const isReadable =
    images.test(mime) ||
    mime === 'application/pdf' ||
    file !== undefined ||
    mime.startsWith('text/')
  if (!source || !(isReadable || (url !== undefined && mime === 'application/octet-stream'))) {
    // https://platform.claude.com/docs/en/build-with-claude/pdf-support: images, PDF and plain text.
    noting.drop(`media ${mime}`)
    return undefined
  }
  return type === 'document' && name !== undefined
    ? { type, source, title: name }
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
