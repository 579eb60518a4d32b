import type { Cache, Part, TextPart, ThinkingPart } from '../canon.ts'
import { listOf, stringOf } from '../extra.ts'
import type { Json } from '../json.ts'
import type { Noting } from '../notes.ts'
import { decodeCitation } from './citations.ts'
import { decodeMedia, encodeMedia, type Names } from './media.ts'

const own = 'converse'

/** What writing the blocks of one request shares. */
export type Writing = {
  noting: Noting
  names: Names
  /** Whether the model remembers prompts up to a mark. */
  marks: boolean
}

/** A mark is a block of its own, behind what it covers. */
export const cachePoint = ({ ttl }: Cache): Json => ({
  cachePoint: ttl === undefined ? { type: 'default' } : { type: 'default', ttl },
})

export const encodeBlocks = (parts: readonly Part[], writing: Writing): Json[] => {
  const blocks: Json[] = []
  for (const part of parts) {
    if (part.type !== 'opaque') writing.noting.dropForeign(part.extra)
    const block = encodeOne(part, writing)
    if (block === undefined) continue
    blocks.push(block)
    if (part.cache) mark(blocks, part.cache, writing)
  }
  return blocks
}

export const mark = (blocks: Json[], cache: Cache, { marks, noting }: Writing): void => {
  if (marks) blocks.push(cachePoint(cache))
  else noting.drop('cache marks')
}

/** Undefined: this dialect has no such block. */
const encodeOne = (part: Part, writing: Writing): Json => {
  const { noting, names } = writing
  switch (part.type) {
    case 'text':
      return encodeText(part, noting)
    case 'thinking':
      return encodeThinking(part, noting)
    case 'media':
      return encodeMedia(part, names, noting)
    case 'tool-call': {
      if (part.proof) noting.drop('tool-call.proof')
      const input = part.custom ? { input: part.input } : parsed(part.input)
      return { toolUse: { toolUseId: part.id, name: part.name, input } }
    }
    case 'tool-result':
      return encodeResult(part, writing)
    case 'opaque':
      noting.drop(stringOf((part.value as Json)?.type) || 'opaque')
      return undefined
  }
}

const encodeText = ({ text, citations, proof }: TextPart, noting: Noting): Json => {
  if (proof) noting.drop('text.proof')
  // A blank text is refused.
  if (text.trim() === '') {
    if (text !== '') noting.drop('blank text')
    return undefined
  }
  const told = citations?.flatMap(({ raw }) => (raw?.dialect === own ? [raw.value] : []))
  if (citations && told?.length !== citations.length) noting.drop('citations')
  return told && told.length > 0
    ? { citationsContent: { content: [{ text }], citations: told } }
    : { text }
}

/** Most models refuse thoughts that are sent back, and none takes what it did not sign. */
const encodeThinking = ({ text, proof, redacted }: ThinkingPart, noting: Noting): Json => {
  if (proof?.by !== own) {
    noting.drop('thinking without a signature')
    return undefined
  }
  return redacted
    ? { reasoningContent: { redactedContent: proof.text } }
    : { reasoningContent: { reasoningText: { text, signature: proof.text } } }
}

const encodeResult = (part: Part & { type: 'tool-result' }, writing: Writing): Json => {
  const said = encodeBlocks(part.parts, { ...writing, marks: false })
  const content = said.filter(each => inResults.some(key => key in each))
  if (content.length < said.length) writing.noting.drop('tool-result content')
  return {
    toolResult: {
      toolUseId: part.id,
      // Nothing cannot be said as a text.
      content: content.length > 0 ? content : [{ json: {} }],
      ...(part.failed ? { status: 'error' } : {}),
    },
  }
}

const inResults = ['text', 'image', 'document', 'video'] as const

/** An object, whatever the model wrote: the dialect has no place for anything else. */
const parsed = (input: string): Json => {
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
  decodeOne(block) ?? { type: 'opaque', dialect: own, value: block }

const decodeOne = (block: Json): Part | undefined => {
  if (typeof block?.text === 'string') return { type: 'text', text: block.text }
  if (block?.toolUse) return decodeCall(block.toolUse)
  if (block?.reasoningContent) return decodeThinking(block.reasoningContent)
  if (block?.citationsContent) return decodeCited(block.citationsContent)
  return decodeMedia(block)
}

/** What a tool of the vendor's own is asked is no question to the caller. */
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
  if (stringOf(signature) !== '') part.proof = { by: own, text: signature }
  return part
}

export const redactedPart = (text: string): ThinkingPart => ({
  type: 'thinking',
  text: '',
  redacted: true,
  proof: { by: own, text },
})

const decodeCited = ({ content, citations }: Json): Part => ({
  type: 'text',
  text: listOf(content)
    .map(each => stringOf(each?.text))
    .join(''),
  ...(listOf(citations).length > 0 ? { citations: citations.map(decodeCitation) } : {}),
})
