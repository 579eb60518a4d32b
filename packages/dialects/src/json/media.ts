import { type Cursor, close, isWord, open, text } from './cursor.ts'
import { type ImageSize, imageSizeOf } from './image-size.ts'
import { pagesIn } from './pdf.ts'
import { isEscapedKeyOf } from './vendor-tools.ts'

/** An image, audio or a file in a request, as far as its first bytes identify it. */
export type Medium =
  /** `size` is undefined if the first bytes do not contain it. */
  | { kind: 'image'; size: ImageSize | undefined }
  /** `length` is the length of the base64. */
  | { kind: 'audio' | 'other'; length: number }
  /** A PDF; `pages` is absent if they cannot be counted. */
  | { kind: 'pdf'; length: number; pages?: number }
  /** A URL or a file id: nothing is known about the content. */
  | { kind: 'link' }

/** The keys of media in a dialect, and the tokens its vendor counts for them. Estimates are rather too high. */
export type MediaRule = {
  /** Keys of base64, with or without the prefix of a data URL. */
  data: readonly string[]
  /** Keys of URLs and file ids. */
  links: readonly string[]
  /** Restricts both to objects under one of these keys; absent for no restriction. */
  inside?: readonly string[]
  /** Keys of objects that declare a tool which the vendor runs; absent where a type declares it. */
  toolKeys?: readonly string[]
  tokensOf(medium: Medium, model: string | undefined): number
}

/** Shorter strings are no media, because the smallest image is longer. */
const dataMin = 64

/** Decompressing a longer file would block all other calls for too long. */
const pdfMax = 8 * 1024 * 1024

/** The media found so far in a request. */
export type MediaScan = {
  /** Undefined for none, as in most requests. */
  media: Medium[] | undefined
  /** The total length of their base64. */
  bytes: number
  /** The depth of members of the object that may contain media; 0 outside of one. */
  inside: number
}

export const emptyMediaScan = (): MediaScan => ({ media: undefined, bytes: 0, inside: 0 })

/** Observes one step of the walk over a request. */
export const observeMedia = (
  rule: MediaRule,
  found: MediaScan,
  cursor: Cursor,
  token: number,
): void => {
  if (token === text) {
    if (rule.inside && cursor.depth !== found.inside) return
    const medium = mediumAt(cursor, rule)
    if (medium) found.bytes += cursor.at - cursor.start
    if (medium) add(found, medium)
    else if (hasKey(cursor, rule.links)) add(found, { kind: 'link' })
  } else if (rule.inside && token === open && hasKey(cursor, rule.inside))
    found.inside = cursor.depth
  else if (token === close && cursor.depth < found.inside) found.inside = 0
}

const add = (found: MediaScan, medium: Medium): void => {
  found.media ??= []
  found.media.push(medium)
}

/** The shortest key of media with one escape, in quotes: a letter more than `content`, so that most keys are shorter. */
const escapedMin = 'url'.length + 5 + 2
/** The longest key of media with each of its letters as an escape, in quotes. */
const escapedMax = 24 * 6 + 2

const hasKey = (cursor: Cursor, keys: readonly string[]): boolean => {
  const { bytes, keyStart, keyEnd } = cursor
  if (keyStart < 0) return false
  for (const key of keys) if (isWord(bytes, keyStart, keyEnd, key)) return true
  const length = keyEnd - keyStart
  return length >= escapedMin && length <= escapedMax && isEscapedKeyOf(cursor, keys)
}

const mediumAt = (cursor: Cursor, { data }: MediaRule): Medium | undefined => {
  const { bytes, start, at } = cursor
  if (at - start < dataMin || !hasKey(cursor, data)) return undefined
  const head = bytes.subarray(start + 1, Math.min(start + 129, at)).indexOf(0x2c)
  const from = head < 0 ? start + 1 : start + head + 2
  if (!isBase64(bytes, from, at - 1)) return undefined
  return mediumOf(Buffer.from(bytes.buffer, bytes.byteOffset + from, at - 1 - from))
}

/** Says by its first bytes what the base64 of a file is. */
export const mediumOf = (base64: Buffer): Medium => {
  const size = imageSizeOf(base64)
  if (size) return { kind: 'image', size: size === 'unknown' ? undefined : size }
  const length = base64.length
  const begins = (word: string) => base64.toString('latin1', 0, word.length) === word
  if (begins('JVBERi0')) return { kind: 'pdf', length, ...pagesOf(base64) }
  // MP3 and WAV. Anything else may be a video, which costs more.
  const isAudio = begins('SUQz') || begins('//') || begins('UklGR')
  return { kind: isAudio ? 'audio' : 'other', length }
}

const pagesOf = (base64: Buffer): { pages?: number } => {
  if (base64.length > pdfMax) return {}
  const pages = pagesIn(Buffer.from(base64.toString('latin1'), 'base64'))
  return pages === undefined ? {} : { pages }
}

/** Samples the beginning, the middle and the end. */
const isBase64 = (bytes: Uint8Array, from: number, end: number): boolean => {
  const sample = 64
  for (const begin of [from, (from + end - sample) >> 1, end - sample])
    for (let at = Math.max(from, begin); at < begin + sample && at < end; at += 1)
      if (!isBase64Byte(bytes[at]!)) return false
  return true
}

const isBase64Byte = (byte: number): boolean =>
  (byte >= 0x61 && byte <= 0x7a) ||
  (byte >= 0x41 && byte <= 0x5a) ||
  (byte >= 0x2f && byte <= 0x39) ||
  byte === 0x2b ||
  byte === 0x2d ||
  byte === 0x5f ||
  byte === 0x3d ||
  byte === 0x5c
