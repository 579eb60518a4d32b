import type { MediaPart } from '../canon.ts'
import { stringOf } from '../extra.ts'
import type { Json } from '../json.ts'
import type { Noting } from '../notes.ts'

type Kind = 'image' | 'document' | 'video' | 'audio'

/** What each kind is called here, by its type; the first of several types is what an answer's one becomes. */
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

/** Names that were given to documents of this request: the vendor refuses the same one twice. */
export type Names = Set<string>

/** Undefined: the vendor does not take it, or not from there. It fetches nothing but what lies in its own storage. */
export const encodeMedia = (part: MediaPart, names: Names, noting: Noting): Json => {
  const { text, name, detail } = part
  const [mime, url, base64] = [part.mime, part.url, part.base64].map(stringOf) as [
    string,
    string,
    string,
  ]
  if (detail !== undefined && detail !== 'auto') noting.drop('image detail')
  const kind = kinds.find(each => Object.hasOwn(formats[each], mime))
  const type = kind ?? (mime.startsWith('text/') || text !== undefined ? 'document' : undefined)
  const bytes = text === undefined ? base64 : Buffer.from(stringOf(text)).toString('base64')
  const isStored = bytes === '' && url.startsWith('s3://')
  if (!type || (bytes === '' && !isStored)) {
    noting.drop(bytes === '' ? `media ${mime} that must be fetched` : `media ${mime}`)
    return undefined
  }
  const source = isStored ? { s3Location: { uri: url } } : { bytes }
  const format = kind ? formats[kind][mime] : 'txt'
  if (type !== 'document') return { [type]: { format, source } }
  return { document: { format, name: nameOf(stringOf(name), names), source } }
}

/** Letters, digits, single blanks, hyphens and brackets, and no name twice. */
const nameOf = (name: string, names: Names): string => {
  const plain = name
    .replace(/[^a-zA-Z0-9()[\]-]+/g, ' ')
    .trim()
    .slice(0, 180)
  const wanted = plain === '' ? 'document' : plain
  let free = wanted
  for (let at = 2; names.has(free); at += 1) free = `${wanted} ${at}`
  names.add(free)
  return free
}

/** Undefined: it is none of these, or has neither bytes nor a place. */
export const decodeMedia = (block: Json): MediaPart | undefined => {
  const kind = kinds.find(each => typeof block?.[each] === 'object' && block[each] !== null)
  if (!kind) return undefined
  const { format, source, name } = block[kind]
  const mime = mimeOf(kind, format)
  const named = typeof name === 'string' ? { name } : {}
  if (typeof source?.bytes === 'string')
    return { type: 'media', mime, base64: source.bytes, ...named }
  if (typeof source?.text === 'string') return { type: 'media', mime, text: source.text, ...named }
  const uri = stringOf(source?.s3Location?.uri)
  return uri === '' ? undefined : { type: 'media', mime, url: uri, ...named }
}

const mimeOf = (kind: Kind, format: unknown): string => {
  const known = Object.entries(formats[kind]).find(([, each]) => each === format)
  return known?.[0] ?? (kind === 'document' ? 'application/octet-stream' : `${kind}/*`)
}
