import { isUtf8 } from 'node:buffer'
import type { ByteRange, ParsedRequest, ReadResult, Unreadable } from '../parsed-request.ts'
import { isAddress } from './addresses.ts'
import { type Cursor, isWord, isWritten, open, skipSpace, text } from './cursor.ts'
import { readFieldRanges } from './field-ranges.ts'
import { emptyMediaScan, type MediaRule, type MediaScan, observeMedia } from './media.ts'
import { isEscapedKeyOf, isVendorTool } from './vendor-tools.ts'

export type InvalidBody = { ok: false } & Unreadable
type ReadFields = {
  ok: true
  fieldRanges: Map<string, ByteRange>
  promptTokens: number
  /** The part of `promptTokens` for images and other media. */
  mediaTokens: number
  hasMediaLinks: boolean
  hasAddresses: boolean
  hasUnusualToolText: boolean
  hasVendorTools: boolean
  marksCache: boolean
}

const modelBytesMax = 512
const bytesPerToken = 3

export const invalid = (hint: string): InvalidBody => ({ ok: false, reason: 'invalid', hint })

/** For dialects without media. */
const noMedia: MediaRule = { data: [], links: [], tokensOf: () => 0 }

/** Reads the top-level fields and estimates the prompt tokens cautiously, in one scan. */
export const readTop = (
  body: Buffer,
  guarded: readonly string[],
  rule: MediaRule = noMedia,
): ReadFields | InvalidBody => {
  if (!isUtf8(body)) return { ok: false, reason: 'unreadable', hint: 'It is not UTF-8.' }
  const media = emptyMediaScan()
  let hasUnusualToolText = false
  let hasAddresses = false
  let hasVendorTools = false
  let marksCache = false
  const result = readFieldRanges(body, 0, body.length, guarded, (cursor, token) => {
    observeMedia(rule, media, cursor, token)
    if (!hasVendorTools && isVendorTool(cursor, token, rule.toolKeys)) hasVendorTools = true
    if (!marksCache && token === open && isCacheMark(cursor)) marksCache = true
    if (token !== text) return
    if (isUnusualToolText(cursor)) hasUnusualToolText = true
    if (!hasAddresses && isAddress(cursor)) hasAddresses = true
  })
  if (!result.ok) return result
  const { fieldRanges } = result
  const mediaTokens = mediaTokensOf(rule, media, body, fieldRanges)
  const textTokens = Math.ceil((body.length - media.bytes) / bytesPerToken)
  const promptTokens = textTokens + mediaTokens
  const hasMediaLinks = media.media?.some(each => each.kind === 'link') ?? false
  const facts = { hasMediaLinks, hasAddresses, hasUnusualToolText, hasVendorTools, marksCache }
  return { ok: true, fieldRanges, promptTokens, mediaTokens, ...facts }
}

/** The fields that a dialect reads from a body. */
export type RequestParams = Omit<
  ParsedRequest,
  | 'promptTokens'
  | 'mediaTokens'
  | 'hasMediaLinks'
  | 'hasAddresses'
  | 'hasUnusualToolText'
  | 'hasVendorTools'
  | 'marksCache'
  | 'fieldRanges'
  | 'body'
>

/** Scans the body once. `readParams` decodes only the fields it needs. */
export const readRequest = (
  body: Buffer,
  guarded: readonly string[],
  rule: MediaRule,
  readParams: (
    body: Buffer,
    fieldRanges: ReadonlyMap<string, ByteRange>,
  ) => RequestParams | InvalidBody,
): ReadResult => {
  const top = readTop(body, guarded, rule)
  if (!top.ok) return top
  const { ok, ...facts } = top
  const params = readParams(body, facts.fieldRanges)
  return 'reason' in params ? params : { ok, parsed: { ...params, ...facts, body } }
}

const mediaTokensOf = (
  rule: MediaRule,
  { media }: MediaScan,
  body: Buffer,
  fieldRanges: ReadonlyMap<string, ByteRange>,
): number => {
  if (!media) return 0
  const model = readName(body, fieldRanges.get('model'))
  return media.reduce((sum, each) => sum + rule.tokensOf(each, model), 0)
}

/** Returns whether a text can name a model: PostgreSQL stores no NUL, and no half of a surrogate pair. */
export const isName = (text: string): boolean =>
  text !== '' && text.isWellFormed() && !text.includes('\0')

/** Reads a name, such as the model; undefined for any other value. */
export const readName = (body: Buffer, range: ByteRange | undefined): string | undefined => {
  if (!range || body[range.start] !== 0x22 || range.end - range.start > modelBytesMax)
    return undefined
  const text = body.toString('utf8', range.start + 1, range.end - 1)
  const name = text.includes('\\') ? (JSON.parse(`"${text}"`) as string) : text
  return isName(name) ? name : undefined
}

/** The JSON text of a value; undefined for an absent field and for null, which vendors treat alike. */
export const literal = (body: Buffer, range: ByteRange | undefined): string | undefined => {
  if (!range) return undefined
  const { start, end } = range
  // Compares the frequent values first, because making a string costs more than all comparisons.
  if (isWritten(body, start, end, 'null')) return undefined
  if (isWritten(body, start, end, 'true')) return 'true'
  if (isWritten(body, start, end, 'false')) return 'false'
  return body.toString('latin1', start, Math.min(end, start + 64))
}

export const wholeNumber = (
  body: Buffer,
  range: ByteRange | undefined,
  min: number,
  max: number,
): number | 'wrong' | undefined => {
  if (!range) return undefined
  const value = digitsAt(body, range) ?? numberAt(body, range)
  if (value === undefined) return undefined
  return Number.isInteger(value) && value >= min && value <= max ? value : 'wrong'
}

/** Reads a number of at most nine digits, the usual case; undefined for any other spelling. */
const digitsAt = (body: Buffer, { start, end }: ByteRange): number | undefined => {
  if (end - start > 9) return undefined
  let value = 0
  for (let at = start; at < end; at += 1) {
    const digit = body[at]! - 0x30
    if (digit < 0 || digit > 9) return undefined
    value = value * 10 + digit
  }
  return value
}

/** Returns NaN for a value that is no number. Most vendors refuse the string "1" as well. */
const numberAt = (body: Buffer, range: ByteRange): number | undefined => {
  const text = literal(body, range)
  if (text === undefined) return undefined
  return /^[-\d]/.test(text) ? Number(text) : Number.NaN
}

/** Returns whether the value is a list that is not empty. */
export const isFilled = (body: Buffer, range: ByteRange | undefined): boolean =>
  range !== undefined &&
  body[range.start] === 0x5b &&
  body[skipSpace(body, range.start + 1, range.end)] !== 0x5d

/** The marks of Claude and of OpenAI, each an object. Recognised by the length of the key first. */
const isCacheMark = (cursor: Cursor): boolean => {
  const { bytes, keyStart, keyEnd } = cursor
  if (keyStart < 0) return false
  const length = keyEnd - keyStart
  if (length < 15) return false
  if (length === 15 && isWord(bytes, keyStart, keyEnd, 'cache_control')) return true
  if (length === 25 && isWord(bytes, keyStart, keyEnd, 'prompt_cache_breakpoint')) return true
  return length <= cacheMarkMax && isEscapedKeyOf(cursor, cacheMarks)
}

const cacheMarks = ['cache_control', 'prompt_cache_breakpoint']
/** The longer mark with each of its letters as an escape, in quotes. */
const cacheMarkMax = 'prompt_cache_breakpoint'.length * 6 + 2

/** Letters, digits, underscores and dashes. */
const plain = new Uint8Array(256)
for (const byte of Buffer.from('abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-'))
  plain[byte] = 1

/** Every vendor accepts names and ids of tools up to these lengths. */
const nameMax = 64
const idMax = 40

/** Returns whether the string at the cursor is a tool's name or a call's id that some vendor may refuse. */
export const isUnusualToolText = (cursor: Cursor): boolean => {
  const { bytes, start, at } = cursor
  const max = lengthMaxOf(cursor)
  if (max === 0) return false
  const length = at - start - 2
  if (length < 1 || length > max) return true
  for (let index = start + 1; index < at - 1; index += 1)
    if (plain[bytes[index]!] === 0) return true
  // A digit or a dash: Gemini refuses a name that begins with one.
  return max === nameMax && bytes[start + 1]! <= 0x39
}

/** Recognises the keys by their lengths, quotes included, before it compares any byte. */
const lengthMaxOf = ({ bytes, keyStart, keyEnd }: Cursor): number => {
  if (keyStart < 0) return 0
  switch (keyEnd - keyStart) {
    case 6:
      return isWord(bytes, keyStart, keyEnd, 'name') ? nameMax : 0
    case 9:
      return isWord(bytes, keyStart, keyEnd, 'call_id') ? idMax : 0
    case 13:
      return isWord(bytes, keyStart, keyEnd, 'tool_use_id') ? idMax : 0
    case 14:
      return isWord(bytes, keyStart, keyEnd, 'tool_call_id') ? idMax : 0
    default:
      return 0
  }
}
