import {
  decodeSignature,
  encodeSignature,
  type MediaPart,
  type Part,
  type Signature,
  type ToolCallPart,
  type ToolResultPart,
  type UnknownFields,
} from '../canon.ts'
import { isEmpty } from '../decode-values.ts'
import type { Json } from '../json/json.ts'
import type { WarningCollector } from '../warnings.ts'

export const dialectId = 'gemini'

/** Wraps fields that canon does not model; returns an empty object if there are none. */
export const asUnknownFields = (fields: Json): { unknownFields?: UnknownFields } =>
  Object.keys(fields).length > 0 ? { unknownFields: { dialect: dialectId, fields } } : {}

export const ownFields = (unknownFields: UnknownFields | undefined): Json =>
  unknownFields?.dialect === dialectId ? unknownFields.fields : {}

/** Placeholder for a lost signature. https://ai.google.dev/gemini-api/docs/thought-signatures */
export const lostSignature = 'skip_thought_signature_validator'

/** Signatures are bytes here, which clients decode: a foreign one is wrapped whole. */
export const encodeThoughtSignature = (signature: Signature): string =>
  signature.dialect === dialectId
    ? signature.text
    : Buffer.from(encodeSignature(signature, dialectId)).toString('base64')

/** Beginnings of what `encodeProof` wraps, in base64: `openai-`, `anthropi`, `converse:`. */
const wrappedPrefix = /^(b3BlbmFpL|YW50aHJvcGlj|Y29udmVyc2U6)/

const decodeThoughtSignature = (text: string): Signature =>
  wrappedPrefix.test(text)
    ? decodeSignature(Buffer.from(text, 'base64').toString(), dialectId)
    : { dialect: dialectId, text }

/** Assigns ids to calls without one, unless the answer itself has none, and matches results without one to the oldest open call of their name. */
export type CallIds = {
  call(name: string, id: Json): string
  result(name: string, id: Json): string
}

export const callIds = (head: string | undefined): CallIds => {
  const open: { id: string; name: string }[] = []
  let count = 0
  return {
    call: (name, id) => {
      const made = head === undefined ? '' : `${head}${count}`
      const assigned = typeof id === 'string' && id !== '' ? id : made
      count += 1
      open.push({ id: assigned, name })
      return assigned
    },
    result: (name, id) => {
      const at = open.findIndex(call =>
        typeof id === 'string' ? call.id === id : call.name === name,
      )
      const [call] = at < 0 ? [] : open.splice(at, 1)
      return typeof id === 'string' && id !== '' ? id : (call?.id ?? `${head ?? ''}${name}`)
    },
  }
}

/** A part has content, if only an empty text: relays send a call without a name in place of none. */
export const isFilledPart = (value: Json): boolean => {
  const { functionCall, ...part } = value ?? {}
  return functionCall === undefined || !isEmpty(functionCall) || !isEmpty(part)
}

export const decodePart = (part: Json, ids: CallIds): Part => {
  const { text, thought, thoughtSignature, ...more } = part ?? {}
  const signature = typeof thoughtSignature === 'string' ? thoughtSignature : undefined
  const signaturePart =
    signature && signature !== lostSignature ? { signature: decodeThoughtSignature(signature) } : {}
  const { functionCall, functionResponse, inlineData, fileData, ...rest } = more
  const signatureFields = {
    ...(signature ? { thoughtSignature } : {}),
    ...(thought ? { thought } : {}),
  }
  if (isObject(functionCall) && !isEmpty(functionCall))
    return {
      ...decodeCall(functionCall, ids),
      ...signaturePart,
      ...unknownFieldsIn(rest, functionCall, callKeys, 'functionCall'),
    }
  if (isObject(functionResponse) && !isEmpty(functionResponse)) {
    const unknown = unknownFieldsIn(
      { ...rest, ...signatureFields },
      functionResponse,
      resultKeys,
      'functionResponse',
    )
    return { ...decodeResult(functionResponse, ids), ...unknown }
  }
  if (isObject(inlineData) && !isEmpty(inlineData)) {
    const { mimeType, data, displayName } = inlineData
    return {
      type: 'media',
      mime: mimeType ?? unknownMime,
      base64: data ?? '',
      ...(displayName === undefined ? {} : { name: displayName }),
      ...unknownFieldsIn(
        { ...rest, ...signatureFields },
        inlineData,
        ['mimeType', 'data', 'displayName'],
        'inlineData',
      ),
    }
  }
  if (isObject(fileData) && !isEmpty(fileData)) {
    const { mimeType, fileUri, displayName } = fileData
    return {
      type: 'media',
      mime: mimeType ?? unknownMime,
      url: fileUri ?? '',
      ...(displayName === undefined ? {} : { name: displayName }),
      ...unknownFieldsIn(
        { ...rest, ...signatureFields },
        fileData,
        ['mimeType', 'fileUri', 'displayName'],
        'fileData',
      ),
    }
  }
  if (typeof text !== 'string') return { type: 'opaque', dialect: dialectId, value: part }
  if (!thought) return { type: 'text', text, ...signaturePart, ...asUnknownFields(rest) }
  const isHidden = text === '' && signature !== undefined
  return {
    type: 'thinking',
    text,
    ...(isHidden ? { redacted: true } : {}),
    ...signaturePart,
    ...asUnknownFields(rest),
  }
}

const unknownMime = 'application/octet-stream'

const callKeys = ['id', 'name', 'args', 'partialArgs', 'willContinue']
const resultKeys = ['id', 'name', 'response', 'parts']

/** Collects the unknown fields of a part and of the object inside it. */
const unknownFieldsIn = (rest: Json, inner: Json, known: readonly string[], key: string) => {
  const innerUnknown = Object.fromEntries(
    Object.entries(inner).filter(([name]) => !known.includes(name)),
  )
  return asUnknownFields({
    ...rest,
    ...(Object.keys(innerUnknown).length > 0 ? { [key]: innerUnknown } : {}),
  })
}

const decodeCall = ({ id, name, args }: Json, ids: CallIds): ToolCallPart => ({
  type: 'tool-call',
  id: ids.call(name ?? '', id),
  name: name ?? '',
  input: args === undefined || args === null ? '' : JSON.stringify(args),
})

/** A result is an object: plain text is its `output`, a failure its `error`. */
const decodeResult = ({ id, name, response, parts }: Json, ids: CallIds): ToolResultPart => {
  const keys = Object.keys(response ?? {})
  const [key] = keys
  const isText = keys.length === 1 && (key === 'output' || key === 'error')
  const value = isText ? response[key] : undefined
  const text = typeof value === 'string' ? value : JSON.stringify(response ?? {})
  const media = Array.isArray(parts) ? parts.map(part => decodePart(part, ids)) : []
  return {
    type: 'tool-result',
    id: ids.result(name ?? '', id),
    name: name ?? '',
    parts: [{ type: 'text', text }, ...media],
    ...(key === 'error' && typeof value === 'string' ? { failed: true } : {}),
  }
}

export const encodeCall = (part: ToolCallPart, id: string | undefined): Json => {
  const { functionCall, ...rest } = ownFields(part.unknownFields)
  const args = part.custom ? { input: part.input } : objectOf(part.input)
  return {
    functionCall: {
      ...(id === undefined ? {} : { id }),
      name: part.name,
      ...(part.input === '' && !part.custom ? {} : { args: args ?? {} }),
      ...functionCall,
    },
    ...rest,
  }
}

/** Returns undefined unless the text is a JSON object. */
export const objectOf = (json: string): Json | undefined => {
  try {
    const value: unknown = JSON.parse(json)
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

export const encodeResult = (
  part: ToolResultPart,
  name: string,
  warnings: WarningCollector,
): Json => {
  warnings.warnForeignFields(part.unknownFields)
  const { functionResponse, ...rest } = ownFields(part.unknownFields)
  const texts = part.parts.flatMap(each => (each.type === 'text' ? [each.text] : []))
  const media = part.parts.flatMap(each =>
    each.type === 'media' ? (encodeMedia(each, warnings) ?? []) : [],
  )
  const unsupported = part.parts.find(each => each.type !== 'text' && each.type !== 'media')
  if (unsupported) warnings.warnDropped(unsupported.type)
  return {
    functionResponse: {
      id: part.id,
      name,
      response: responseOf(texts.join('\n'), part.failed),
      ...(media.length > 0 ? { parts: media } : {}),
      ...functionResponse,
    },
    ...rest,
  }
}

const responseOf = (text: string, failed: true | undefined): Json => {
  if (failed) return { error: text }
  const object = objectOf(text)
  const keys = object ? Object.keys(object) : []
  const isPlain = keys.length === 1 && (keys[0] === 'output' || keys[0] === 'error')
  return object && !isPlain ? object : { output: text }
}

/** Returns undefined, with a warning, for media without data or URL. */
export const encodeMedia = (part: MediaPart, warnings: WarningCollector): Json | undefined => {
  warnings.warnForeignFields(part.unknownFields)
  const { inlineData, fileData, ...rest } = ownFields(part.unknownFields)
  const { mime, url, name, text, transcript } = part
  const data =
    part.base64 ?? (text === undefined ? undefined : Buffer.from(text).toString('base64'))
  const named = name === undefined ? {} : { displayName: name }
  // `auto` is the vendor's default.
  if (part.detail !== undefined && part.detail !== 'auto') warnings.warnDropped('detail')
  if (transcript !== undefined) warnings.warnDropped('transcript')
  if (data !== undefined)
    return { inlineData: { mimeType: mime, data, ...named, ...inlineData }, ...rest }
  if (url !== undefined) {
    // Without an exact type the upstream detects it.
    const assigned = mime.includes('*') || mime === unknownMime ? {} : { mimeType: mime }
    return { fileData: { ...assigned, fileUri: url, ...named, ...fileData }, ...rest }
  }
  warnings.warnDropped('file')
  return undefined
}

export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
