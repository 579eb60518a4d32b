import type { MediaPart } from '../canon.ts'
import { stringOf } from '../decode-values.ts'
import type { Json } from '../json/json.ts'
import type { WarningCollector } from '../warnings.ts'

type Kind = 'image' | 'document' | 'video' | 'audio'

/** Format names by MIME type; decoding takes the first of several types. */
const formats: Readonly<Record<Kind, Readonly<Record<string, string>>>> = {
  image: {
    'image/png': 'png',
    'image/jpeg': 'jpeg',
    'image/jpg': 'jpeg',
    'image/gif': 'gif',
    'image/webp': 'webp',
  },
  document: {
    'application/pdf': 'pdf',
    'text/csv': 'csv',
    'application/msword': 'doc',
    'application/vnd.openxmlformats-officedocument.wordprocessingml.document': 'docx',
    'application/vnd.ms-excel': 'xls',
    'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': 'xlsx',
    'text/html': 'html',
    'text/plain': 'txt',
    'text/markdown': 'md',
  },
  video: {
    'video/mp4': 'mp4',
    'video/quicktime': 'mov',
    'video/x-matroska': 'mkv',
    'video/webm': 'webm',
    'video/x-flv': 'flv',
    'video/mpeg': 'mpeg',
    'video/x-ms-wmv': 'wmv',
    'video/3gpp': 'three_gp',
  },
  audio: {
    'audio/wav': 'wav',
    'audio/x-wav': 'wav',
    'audio/mpeg': 'mp3',
    'audio/mp3': 'mp3',
    'audio/aac': 'aac',
    'audio/flac': 'flac',
    'audio/ogg': 'ogg',
    'audio/opus': 'opus',
    'audio/mp4': 'm4a',
    'audio/webm': 'webm',
  },
}
const kinds = Object.keys(formats) as Kind[]

/** Document names of this request; the vendor rejects duplicates. */
export type DocumentNames = Set<string>

/** Returns undefined, with a warning, for an unsupported type or URL; the vendor fetches only from S3. */
export const encodeMedia = (
  part: MediaPart,
  names: DocumentNames,
  warnings: WarningCollector,
): Json => {
  const { text, name, detail } = part
  const [mime, url, base64] = [part.mime, part.url, part.base64].map(stringOf) as [
    string,
    string,
    string,
  ]
  if (detail !== undefined && detail !== 'auto') warnings.warnDropped('image detail')
  const kind = kinds.find(each => Object.hasOwn(formats[each], mime))
  const type = kind ?? (mime.startsWith('text/') || text !== undefined ? 'document' : undefined)
  const bytes = text === undefined ? base64 : Buffer.from(stringOf(text)).toString('base64')
  const isStored = bytes === '' && url.startsWith('s3://')
  if (!type || (bytes === '' && !isStored)) {
    warnings.warnDropped(bytes === '' ? `media ${mime} that must be fetched` : `media ${mime}`)
    return undefined
  }
  const source = isStored ? { s3Location: { uri: url } } : { bytes }
  const format = kind ? formats[kind][mime] : 'txt'
  if (type !== 'document') return { [type]: { format, source } }
  return { document: { format, name: documentName(stringOf(name), names), source } }
}

/** Returns an unused name of letters, digits, single spaces, hyphens and brackets. */
const documentName = (name: string, names: DocumentNames): string => {
  const plain = name
    .replace(/[^a-zA-Z0-9()[\]-]+/g, ' ')
    .trim()
    .slice(0, 180)
  const baseName = plain === '' ? 'document' : plain
  let unusedName = baseName
  for (let at = 2; names.has(unusedName); at += 1) unusedName = `${baseName} ${at}`
  names.add(unusedName)
  return unusedName
}

/** Returns undefined for other blocks, and for media without content. */
export const decodeMedia = (block: Json): MediaPart | undefined => {
  const kind = kinds.find(each => typeof block?.[each] === 'object' && block[each] !== null)
  if (!kind) return undefined
  const { format, source, name } = block[kind]
  const mime = mimeOf(kind, format)
  const namePart = typeof name === 'string' ? { name } : {}
  if (typeof source?.bytes === 'string')
    return { type: 'media', mime, base64: source.bytes, ...namePart }
  if (typeof source?.text === 'string')
    return { type: 'media', mime, text: source.text, ...namePart }
  const uri = stringOf(source?.s3Location?.uri)
  return uri === '' ? undefined : { type: 'media', mime, url: uri, ...namePart }
}

const mimeOf = (kind: Kind, format: unknown): string => {
  const known = Object.entries(formats[kind]).find(([, each]) => each === format)
  return known?.[0] ?? (kind === 'document' ? 'application/octet-stream' : `${kind}/*`)
}
