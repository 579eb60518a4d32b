import type { Citation, Signature, ToolCallPart } from '../canon.ts'
import { isEmpty, textOf } from '../decode-values.ts'
import type { EncodeOptions } from '../dialect.ts'
import type { Json } from '../json/json.ts'
import { filledUnknownFields, ownFields } from '../unknown-fields.ts'
import type { WarningCollector } from '../warnings.ts'

const dialectId = 'openai-chat'
const keys = new Set(['id', 'type', 'function', 'custom', 'index', 'extra_content'])

export const decodeCall = (call: Json): ToolCallPart => {
  const custom = isEmpty(call?.custom) ? undefined : call.custom
  const named = custom ?? call?.function ?? {}
  const part: ToolCallPart = {
    type: 'tool-call',
    id: textOf(call?.id),
    name: textOf(named.name),
    input: textOf(custom ? named.input : named.arguments),
  }
  if (custom) part.custom = true
  const signature = signatureIn(call)
  if (signature) part.signature = signature
  const unknownFields = filledUnknownFields(call, keys, dialectId)
  if (unknownFields) part.unknownFields = unknownFields
  return part
}

/** A chunk of a call, or a call, without anything in it but its number and kind. */
export const isEmptyCall = (call: Json): boolean => {
  const { index, type, ...fields } = call ?? {}
  return isEmpty(fields)
}

export const encodeCall = (part: ToolCallPart, warnings: WarningCollector): Json => {
  const { id, name, input, custom, signature, unknownFields } = part
  warnings.warnForeignFields(unknownFields)
  const call: Json = custom
    ? { id, type: 'custom', custom: { name, input } }
    : { id, type: 'function', function: { name, arguments: input } }
  if (signature?.dialect === 'gemini') call.extra_content = encodeGoogleSignature(signature)
  else if (signature) warnings.warnDropped('tool-call.proof')
  return Object.assign(call, ownFields(unknownFields, dialectId))
}

/**
 * Dialects without custom tools receive an object around the text input. For a tool that the caller declared as custom,
 * this restores the text.
 */
export const unwrapCustomCall = (part: ToolCallPart, names: ReadonlySet<string>): ToolCallPart =>
  part.custom || !names.has(part.name)
    ? part
    : { ...part, custom: true, input: textWithin(part.input) }

const textWithin = (input: string): string => {
  try {
    const text: unknown = JSON.parse(input)?.input
    return typeof text === 'string' ? text : input
  } catch {
    return input
  }
}

export const customNamesOf = ({ request }: EncodeOptions): ReadonlySet<string> =>
  new Set(request?.tools?.flatMap(tool => (tool.type === 'custom' ? [tool.name] : [])))

/** https://ai.google.dev/gemini-api/docs/thought-signatures */
export const signatureIn = (object: Json): Signature | undefined => {
  const signature = object?.extra_content?.google?.thought_signature
  return typeof signature === 'string' && signature !== ''
    ? { dialect: 'gemini', text: signature }
    : undefined
}

export const encodeGoogleSignature = ({ text }: Signature): Json => ({
  google: { thought_signature: text },
})

export const decodeCitation = (annotation: Json): Citation => {
  const raw = { dialect: dialectId, value: annotation } as const
  const source = annotation?.url_citation
  if (!source) return { raw }
  return {
    ...(typeof source.url === 'string' ? { url: source.url } : {}),
    ...(typeof source.title === 'string' ? { title: source.title } : {}),
    ...(typeof source.start_index === 'number' ? { start: source.start_index } : {}),
    ...(typeof source.end_index === 'number' ? { end: source.end_index } : {}),
    raw,
  }
}

/** `base` is the start of the part in the whole text. Returns undefined for a source without a URL. */
export const encodeCitation = (citation: Citation, base: number, length: number): Json => {
  if (citation.raw?.dialect === dialectId) return citation.raw.value
  if (citation.url === undefined) return undefined
  return {
    type: 'url_citation',
    url_citation: {
      url: citation.url,
      title: citation.title ?? citation.url,
      start_index: base + (citation.start ?? 0),
      end_index: base + (citation.end ?? length),
    },
  }
}
