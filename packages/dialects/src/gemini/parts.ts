import {
  type Extra,
  type MediaPart,
  openProof,
  type Part,
  type Proof,
  sealProof,
  type ToolCallPart,
  type ToolResultPart,
} from '../canon.ts'
import type { Json } from '../json.ts'
import type { Noting } from '../notes.ts'

export const own = 'gemini'

/** Fields that canon does not model, for the dialect that knows them; none where there are none. */
export const extraOf = (fields: Json): { extra?: Extra } =>
  Object.keys(fields).length > 0 ? { extra: { dialect: own, fields } } : {}

export const ownFields = (extra: Extra | undefined): Json =>
  extra?.dialect === own ? extra.fields : {}

/** Stands where a signature was lost. https://ai.google.dev/gemini-api/docs/thought-signatures */
export const lostSignature = 'skip_thought_signature_validator'

/** Signatures are bytes here, which clients decode: a foreign one is wrapped whole. */
export const encodeProof = (proof: Proof): string =>
  proof.by === own ? proof.text : Buffer.from(sealProof(proof, own)).toString('base64')

/** Beginnings of what `encodeProof` wraps, in base64: `openai-`, `anthropi`, `converse:`. */
const wrapped = /^(b3BlbmFpL|YW50aHJvcGlj|Y29udmVyc2U6)/

const decodeProof = (text: string): Proof =>
  wrapped.test(text) ? openProof(Buffer.from(text, 'base64').toString(), own) : { by: own, text }

/** Calls without an id get one; results without one belong to the oldest open call of their name. */
export type Ids = { call(name: string, id: Json): string; result(name: string, id: Json): string }

export const idsOf = (head: string): Ids => {
  const open: { id: string; name: string }[] = []
  let count = 0
  return {
    call: (name, id) => {
      const told = typeof id === 'string' && id !== '' ? id : `${head}${count}`
      count += 1
      open.push({ id: told, name })
      return told
    },
    result: (name, id) => {
      const at = open.findIndex(call =>
        typeof id === 'string' ? call.id === id : call.name === name,
      )
      const [call] = at < 0 ? [] : open.splice(at, 1)
      return typeof id === 'string' && id !== '' ? id : (call?.id ?? `${head}${name}`)
    },
  }
}

export const decodePart = (part: Json, ids: Ids): Part => {
  const { text, thought, thoughtSignature, ...more } = part ?? {}
  const proof = typeof thoughtSignature === 'string' ? thoughtSignature : undefined
  const proven = proof && proof !== lostSignature ? { proof: decodeProof(proof) } : {}
  const { functionCall, functionResponse, inlineData, fileData, ...rest } = more
  const odd = { ...(proof ? { thoughtSignature } : {}), ...(thought ? { thought } : {}) }
  if (isObject(functionCall))
    return {
      ...decodeCall(functionCall, ids),
      ...proven,
      ...merge(rest, functionCall, callKeys, 'functionCall'),
    }
  if (isObject(functionResponse)) {
    const late = merge({ ...rest, ...odd }, functionResponse, resultKeys, 'functionResponse')
    return { ...decodeResult(functionResponse, ids), ...late }
  }
  if (isObject(inlineData)) {
    const { mimeType, data, displayName } = inlineData
    return {
      type: 'media',
      mime: mimeType ?? unknownMime,
      base64: data ?? '',
      ...(displayName === undefined ? {} : { name: displayName }),
      ...merge({ ...rest, ...odd }, inlineData, ['mimeType', 'data', 'displayName'], 'inlineData'),
    }
  }
  if (isObject(fileData)) {
    const { mimeType, fileUri, displayName } = fileData
    return {
      type: 'media',
      mime: mimeType ?? unknownMime,
      url: fileUri ?? '',
      ...(displayName === undefined ? {} : { name: displayName }),
      ...merge({ ...rest, ...odd }, fileData, ['mimeType', 'fileUri', 'displayName'], 'fileData'),
    }
  }
  if (typeof text !== 'string') return { type: 'opaque', dialect: own, value: part }
  if (!thought) return { type: 'text', text, ...proven, ...extraOf(rest) }
  const isHidden = text === '' && proof !== undefined
  return {
    type: 'thinking',
    text,
    ...(isHidden ? { redacted: true } : {}),
    ...proven,
    ...extraOf(rest),
  }
}

const unknownMime = 'application/octet-stream'

const callKeys = ['id', 'name', 'args', 'partialArgs', 'willContinue']
const resultKeys = ['id', 'name', 'response', 'parts']

/** What is left of the part, and of what it holds. */
const merge = (rest: Json, held: Json, known: readonly string[], key: string) => {
  const left = Object.fromEntries(Object.entries(held).filter(([name]) => !known.includes(name)))
  return extraOf({ ...rest, ...(Object.keys(left).length > 0 ? { [key]: left } : {}) })
}

const decodeCall = ({ id, name, args }: Json, ids: Ids): ToolCallPart => ({
  type: 'tool-call',
  id: ids.call(name ?? '', id),
  name: name ?? '',
  input: args === undefined ? '' : JSON.stringify(args),
})

/** A result is an object here: a text is its `output`, a failure its `error`. */
const decodeResult = ({ id, name, response, parts }: Json, ids: Ids): ToolResultPart => {
  const keys = Object.keys(response ?? {})
  const [key] = keys
  const isText = keys.length === 1 && (key === 'output' || key === 'error')
  const said = isText ? response[key] : undefined
  const text = typeof said === 'string' ? said : JSON.stringify(response ?? {})
  const media = Array.isArray(parts) ? parts.map(part => decodePart(part, ids)) : []
  return {
    type: 'tool-result',
    id: ids.result(name ?? '', id),
    name: name ?? '',
    parts: [{ type: 'text', text }, ...media],
    ...(key === 'error' && typeof said === 'string' ? { failed: true } : {}),
  }
}

export const encodeCall = (part: ToolCallPart, id: string | undefined): Json => {
  const { functionCall, ...rest } = ownFields(part.extra)
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

/** Undefined where it is no JSON object. */
export const objectOf = (json: string): Json | undefined => {
  try {
    const value: unknown = JSON.parse(json)
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

export const encodeResult = (part: ToolResultPart, name: string, notes: Noting): Json => {
  notes.dropForeign(part.extra)
  const { functionResponse, ...rest } = ownFields(part.extra)
  const texts = part.parts.flatMap(each => (each.type === 'text' ? [each.text] : []))
  const media = part.parts.flatMap(each =>
    each.type === 'media' ? (encodeMedia(each, notes) ?? []) : [],
  )
  const others = part.parts.find(each => each.type !== 'text' && each.type !== 'media')
  if (others) notes.drop(others.type)
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

/** Undefined for what cannot be shown to this dialect. */
export const encodeMedia = (part: MediaPart, notes: Noting): Json | undefined => {
  notes.dropForeign(part.extra)
  const { inlineData, fileData, ...rest } = ownFields(part.extra)
  const { mime, url, name, text, transcript } = part
  const data =
    part.base64 ?? (text === undefined ? undefined : Buffer.from(text).toString('base64'))
  const named = name === undefined ? {} : { displayName: name }
  // `auto` is what the vendor does without being told.
  if (part.detail !== undefined && part.detail !== 'auto') notes.drop('detail')
  if (transcript !== undefined) notes.drop('transcript')
  if (data !== undefined)
    return { inlineData: { mimeType: mime, data, ...named, ...inlineData }, ...rest }
  if (url !== undefined) {
    // Only the kind is known, or nothing: the upstream looks for itself.
    const told = mime.includes('*') || mime === unknownMime ? {} : { mimeType: mime }
    return { fileData: { ...told, fileUri: url, ...named, ...fileData }, ...rest }
  }
  notes.drop('file')
  return undefined
}

export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
