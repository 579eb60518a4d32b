import {
  type Citation,
  decodeSignature,
  type Logprob,
  type MediaPart,
  type Part,
  type TextPart,
  type UnknownFields,
} from '../canon.ts'
import { stringOf } from '../decode-values.ts'
import type { Json } from '../json/json.ts'

export const dialectId = 'openai-responses'

/** An output item. `request/messages.ts` decodes the items of other roles. */
export type Item = Json

/** Wraps fields that canon does not model; returns an empty object for none. */
export const unknownFieldsFor = (fields: Json): { unknownFields?: UnknownFields } =>
  Object.keys(fields).length > 0 ? { unknownFields: { dialect: dialectId, fields } } : {}

export const ownFields = (unknownFields: UnknownFields | undefined): Json =>
  unknownFields?.dialect === dialectId ? unknownFields.fields : {}

/**
 * Decodes one output item into parts. The first part has the item's own fields in `item`, which makes the encoder begin a
 * new item. A part without them continues the item before.
 */
export const partsOf = (item: Item, defaultId = ''): Part[] => {
  switch (item.type) {
    case 'message':
      return messagePartsOf(item, defaultId)
    case 'reasoning':
      return reasoningPartsOf(item, defaultId)
    case 'function_call':
    case 'custom_tool_call':
      return [callOf(item, defaultId)]
    case 'image_generation_call':
      return typeof item.result === 'string' ? [imageOf(item, defaultId)] : [opaque(item)]
    default:
      return [opaque(item)]
  }
}

const opaque = (value: Item): Part => ({ type: 'opaque', dialect: dialectId, value })

/** The fields of an item without its content and without defaults. */
export const marksOf = (rest: Json, defaultId: string): Json => {
  const { id, status, ...marks } = rest
  const isPlain = id === undefined || id === defaultId
  return {
    ...(isPlain ? {} : { id }),
    ...(status === undefined || status === 'completed' || status === 'in_progress'
      ? {}
      : { status }),
    ...marks,
  }
}

const messagePartsOf = (item: Item, defaultId: string): Part[] => {
  const { type, role, content, ...rest } = item
  const list: Json[] =
    typeof content === 'string' ? [{ type: 'output_text', text: content }] : content
  if (!Array.isArray(list) || list.length === 0 || !list.every(isText)) return [opaque(item)]
  const marks = marksOf(rest, defaultId)
  return list.map((part, at) => textOf(part, at === 0 ? marks : {}))
}

const isText = (part: Json): boolean =>
  part?.type === 'output_text' || part?.type === 'input_text'
    ? typeof part.text === 'string'
    : part?.type === 'refusal' && typeof part.refusal === 'string'

export const textOf = (part: Json, marks: Json): TextPart => {
  const { type, text, refusal, annotations, logprobs, ...rest } = part
  const cited = Array.isArray(annotations) ? annotations.map(citationOf) : []
  return {
    type: 'text',
    text: type === 'refusal' ? refusal : text,
    ...(type === 'refusal' ? { refusal: true } : {}),
    ...(cited.length > 0 ? { citations: cited } : {}),
    ...(Array.isArray(logprobs) && logprobs.length > 0
      ? { logprobs: logprobs.map(logprobOf) }
      : {}),
    ...unknownFieldsFor({ ...markOf(marks), ...rest }),
  }
}

const markOf = (marks: Json): Json => (Object.keys(marks).length > 0 ? { item: marks } : {})

export const citationOf = (value: Json): Citation => {
  const { url, title, filename, start_index, end_index } = value ?? {}
  return {
    ...(typeof url === 'string' ? { url } : {}),
    ...(typeof (title ?? filename) === 'string' ? { title: title ?? filename } : {}),
    ...(Number.isInteger(start_index) ? { start: start_index } : {}),
    ...(Number.isInteger(end_index) ? { end: end_index } : {}),
    raw: { dialect: dialectId, value },
  }
}

/** Returns undefined for a source without a URL. */
export const annotationOf = (citation: Citation): Json | undefined => {
  const { url, title, start, end, raw } = citation
  if (raw?.dialect === dialectId) return raw.value
  if (url === undefined) return undefined
  return {
    type: 'url_citation',
    start_index: start ?? 0,
    end_index: end ?? 0,
    url,
    title: title ?? '',
  }
}

export const logprobOf = (input: Json): Logprob => {
  const { token, logprob, bytes, top_logprobs } = input ?? {}
  return {
    token,
    logprob,
    ...(bytes === undefined ? {} : { bytes }),
    ...(Array.isArray(top_logprobs) ? { top: top_logprobs.filter(Boolean) } : {}),
  }
}

export const encodeLogprob = ({ token, logprob, bytes, top }: Logprob): Json => ({
  token,
  bytes: bytes ?? bytesOf(token),
  logprob,
  top_logprobs: (top ?? []).map(each => ({ ...each, bytes: each.bytes ?? bytesOf(each.token) })),
})

const bytesOf = (token: unknown): number[] => [...Buffer.from(stringOf(token))]

/** Each summary and each reasoning text is a part. The encrypted content belongs to the last part. */
const reasoningPartsOf = (item: Item, defaultId: string): Part[] => {
  const { type, summary, content, encrypted_content, ...rest } = item
  const summaries = Array.isArray(summary) ? summary : []
  const contents = Array.isArray(content) ? content : []
  const hasProof = typeof encrypted_content === 'string' && encrypted_content !== ''
  const isRead = [...summaries, ...contents].every(each => typeof each?.text === 'string')
  if (!isRead || (!hasProof && summaries.length + contents.length === 0)) return [opaque(item)]
  const { status } = rest
  const marks = { ...marksOf(rest, defaultId), ...(status === undefined ? {} : { status }) }
  const signature = hasProof ? { signature: decodeSignature(encrypted_content, dialectId) } : {}
  if (summaries.length + contents.length === 0)
    return [
      {
        type: 'thinking',
        text: '',
        redacted: true,
        ...signature,
        ...unknownFieldsFor(markOf(marks)),
      },
    ]
  const last = summaries.length + contents.length - 1
  return [...summaries, ...contents].map((each, at) => ({
    type: 'thinking',
    text: each.text,
    ...(at === last ? signature : {}),
    ...unknownFieldsFor({
      // Without this mark the encoder would not know that the signature covers all parts.
      ...(at > 0 ? {} : last > 0 ? { item: marks } : markOf(marks)),
      ...(at >= summaries.length ? { of: 'content' } : {}),
    }),
  }))
}

const callOf = (item: Item, defaultId: string): Part => {
  const { type, call_id, name, arguments: json, input, ...rest } = item
  const isCustom = type === 'custom_tool_call'
  return {
    type: 'tool-call',
    id: call_id || item.id || '',
    name: name ?? '',
    input: (isCustom ? input : json) ?? '',
    ...(isCustom ? { custom: true } : {}),
    ...unknownFieldsFor(markOf(marksOf(rest, defaultId))),
  }
}

const imageOf = (item: Item, defaultId: string): MediaPart => {
  const { type, result, ...rest } = item
  return {
    type: 'media',
    mime: `image/${typeof item.output_format === 'string' ? item.output_format : 'png'}`,
    base64: result,
    ...unknownFieldsFor({ item: { ...marksOf(rest, defaultId), kind: type } }),
  }
}
