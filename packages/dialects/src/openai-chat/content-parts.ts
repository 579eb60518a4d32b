import type { MediaPart, OpaquePart, Part } from '../canon.ts'
import { textOf } from '../decode-values.ts'
import type { Json } from '../json/json.ts'
import { ownFields, unknownFieldsOf } from '../unknown-fields.ts'
import { typeNameOf, type WarningCollector } from '../warnings.ts'

const dialectId = 'openai-chat'
const keys = new Set(['type', 'text', 'refusal', 'image_url', 'video_url', 'input_audio', 'file'])

/** Decodes a content part. An unknown part becomes an opaque one. */
export const decodeContent = (part: Json): Part => {
  const made = decodeOne(part)
  if (!made) return { type: 'opaque', dialect: dialectId, value: part }
  const unknownFields = unknownFieldsOf(part, keys, dialectId)
  if (!unknownFields) return made
  made.unknownFields = unknownFields
  // The mark stays as it is for this dialect, and in canon for the others.
  const mark = part.cache_control
  if (mark?.type === 'ephemeral')
    made.cache = mark.ttl === '5m' || mark.ttl === '1h' ? { ttl: mark.ttl } : {}
  return made
}

const decodeOne = (part: Json): Part | undefined => {
  switch (part?.type) {
    case 'text':
      return { type: 'text', text: textOf(part.text) }
    case 'refusal':
      return { type: 'text', text: textOf(part.refusal), refusal: true }
    case 'image_url':
    case 'video_url': {
      const source = part[part.type]
      const url = typeof source === 'string' ? source : source?.url
      if (typeof url !== 'string') return undefined
      const media = mediaOf(url, part.type === 'image_url' ? 'image/*' : 'video/*')
      if (typeof source.detail === 'string') media.detail = source.detail
      return media
    }
    case 'input_audio': {
      const { data, format } = part.input_audio ?? {}
      if (typeof data !== 'string') return undefined
      return { type: 'media', mime: `audio/${format ?? '*'}`, base64: data }
    }
    case 'file':
      return decodeFile(part.file)
    default:
      return undefined
  }
}

const unknownMime = 'application/octet-stream'

const decodeFile = (file: Json): Part | undefined => {
  const name = typeof file?.filename === 'string' ? { name: file.filename } : {}
  if (typeof file?.file_data === 'string')
    return { ...mediaOf(file.file_data, unknownMime), ...name }
  if (typeof file?.file_id !== 'string') return undefined
  return { type: 'media', mime: unknownMime, file: file.file_id, ...name }
}

/** Decodes a data URL into its bytes. Any other text is an address. */
const mediaOf = (url: string, mime: string): MediaPart => {
  const comma = url.startsWith('data:') ? url.indexOf(',') : -1
  const head = url.slice(5, Math.max(5, comma))
  if (!head.endsWith(';base64')) return { type: 'media', mime, url }
  return { type: 'media', mime: head.slice(0, -7) || mime, base64: url.slice(comma + 1) }
}

/** Encodes a single text as a string and anything else as a list; '' for no parts. */
export const encodeContent = (
  parts: readonly Part[],
  warnings: WarningCollector,
): string | Json[] => {
  const [only] = parts
  if (parts.length === 1 && only?.type === 'text' && isPlain(only)) {
    noteText(only, warnings)
    return only.text
  }
  const list: Json[] = []
  for (const part of parts) {
    const written = encodeOne(part, warnings)
    if (written) list.push(Object.assign(written, ownFields(part.unknownFields, dialectId)))
  }
  return list.length === 0 ? '' : list
}

export const isPlain = (part: Part): boolean =>
  ownFields(part.unknownFields, dialectId) === undefined

/** Warns about the fields of a text that this dialect lacks. */
export const noteText = (part: Part, warnings: WarningCollector): void => {
  warnings.warnForeignFields(part.unknownFields)
  if (part.cache && isPlain(part)) warnings.warnDropped('cache_control')
}

const encodeOne = (part: Part, warnings: WarningCollector): Json => {
  noteText(part, warnings)
  switch (part.type) {
    case 'text':
      return part.refusal
        ? { type: 'refusal', refusal: part.text }
        : { type: 'text', text: part.text }
    case 'media':
      return encodeMedia(part, warnings)
    case 'opaque':
      return encodeOpaque(part, warnings)
    default:
      warnings.warnDropped(part.type)
      return undefined
  }
}

export const encodeOpaque = (part: OpaquePart, warnings: WarningCollector): Json => {
  if (part.dialect === dialectId) return { ...(part.value as object) }
  warnings.warnDropped(typeNameOf(part.value))
  return undefined
}

const encodeMedia = (part: MediaPart, warnings: WarningCollector): Json => {
  const { mime, url, base64, detail, name } = part
  // A plain-text document becomes a text with its title in front.
  if (part.text !== undefined)
    return { type: 'text', text: name === undefined ? part.text : `${name}\n\n${part.text}` }
  if (mime.startsWith('image/') || mime.startsWith('video/')) {
    const address = url ?? (base64 === undefined ? undefined : dataUrl(mime, base64))
    const type = mime.startsWith('image/') ? 'image_url' : 'video_url'
    if (address !== undefined)
      return { type, [type]: detail === undefined ? { url: address } : { url: address, detail } }
  } else if (mime.startsWith('audio/') && base64 !== undefined)
    return { type: 'input_audio', input_audio: { data: base64, format: soundFormat(mime) } }
  const named = name === undefined ? {} : { filename: name }
  if (part.file !== undefined) return { type: 'file', file: { file_id: part.file, ...named } }
  if (base64 !== undefined)
    return { type: 'file', file: { file_data: dataUrl(mime, base64), ...named } }
  // The dialect has `file_data` and `file_id`, but no URL of a file.
  warnings.warnDropped(`media ${mime}`)
  return undefined
}

const dataUrl = (mime: string, base64: string): string => `data:${mime};base64,${base64}`

const soundFormats: Readonly<Record<string, string>> = { mpeg: 'mp3', 'x-wav': 'wav', wave: 'wav' }

const soundFormat = (mime: string): string => {
  const kind = mime.slice(mime.indexOf('/') + 1)
  return soundFormats[kind] ?? kind
}

/** Adds generated media to the fields of the message. */
export const encodeGeneratedMedia = (
  part: MediaPart,
  message: Json,
  warnings: WarningCollector,
): void => {
  warnings.warnForeignFields(part.unknownFields)
  if (part.mime.startsWith('audio/')) message.audio = encodeAudio(part)
  else {
    const image = encodeMedia(part, warnings)
    if (image) message.images = [...(message.images ?? []), image]
  }
}

export const encodeAudio = (part: MediaPart): Json => {
  const audio: Json = {}
  if (part.id !== undefined) audio.id = part.id
  if (part.base64 !== undefined) audio.data = part.base64
  if (part.transcript !== undefined) audio.transcript = part.transcript
  if (part.expiresAt !== undefined) audio.expires_at = part.expiresAt
  return audio
}

export const decodeAudio = (audio: Json): MediaPart => {
  const part: MediaPart = { type: 'media', mime: 'audio/*' }
  if (typeof audio.id === 'string' && audio.id !== '') part.id = audio.id
  if (typeof audio.data === 'string') part.base64 = audio.data
  if (typeof audio.transcript === 'string' && audio.transcript !== '')
    part.transcript = audio.transcript
  if (typeof audio.expires_at === 'number' && audio.expires_at > 0)
    part.expiresAt = audio.expires_at
  return part
}
