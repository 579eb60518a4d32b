import { isUtf8 } from 'node:buffer'
import type { ByteRange, ParsedRequest, ReadResult, Unreadable } from '../dialect.ts'
import { isWritten, skipSpace } from './cursor.ts'
import { readFieldRanges } from './field-ranges.ts'
import { emptyMediaScan, type MediaRule, type MediaScan, observeMedia } from './media.ts'

export type InvalidBody = { ok: false } & Unreadable
type Top = {
  ok: true
  fieldRanges: Map<string, ByteRange>
  promptTokens: number
  /** How many of them are for images and other media. */
  mediaTokens: number
}

const modelBytesMax = 512
const bytesPerToken = 3

export const invalid = (hint: string): InvalidBody => ({ ok: false, reason: 'invalid', hint })

/** For bodies that have none. */
const noMedia: MediaRule = { data: [], links: [], tokensOf: () => 0 }

/** The top-level keys of a request, and a cautious estimate of what reading it costs; one exact scan. */
export const readTop = (
  body: Buffer,
  guarded: readonly string[],
  rule: MediaRule = noMedia,
): Top | InvalidBody => {
  if (!isUtf8(body)) return { ok: false, reason: 'unreadable', hint: 'It is not UTF-8.' }
  const found = emptyMediaScan()
  const placed = readFieldRanges(body, 0, body.length, guarded, (cursor, token) =>
    observeMedia(rule, found, cursor, token),
  )
  if (!placed.ok) return placed
  const { fieldRanges } = placed
  const mediaTokens = tokensOf(rule, found, body, fieldRanges)
  const textTokens = Math.ceil((body.length - found.bytes) / bytesPerToken)
  return { ok: true, fieldRanges, promptTokens: textTokens + mediaTokens, mediaTokens }
}

/** What a request says of itself; the rest is what its bytes cost. */
export type RequestFacts = Omit<
  ParsedRequest,
  'promptTokens' | 'mediaTokens' | 'fieldRanges' | 'body'
>

/** One exact scan: nothing is decoded that does not decide something. */
export const readRequest = (
  body: Buffer,
  guarded: readonly string[],
  rule: MediaRule,
  factsIn: (
    body: Buffer,
    fieldRanges: ReadonlyMap<string, ByteRange>,
  ) => RequestFacts | InvalidBody,
): ReadResult => {
  const top = readTop(body, guarded, rule)
  if (!top.ok) return top
  const { promptTokens, mediaTokens, fieldRanges } = top
  const facts = factsIn(body, fieldRanges)
  return 'reason' in facts
    ? facts
    : { ok: true, parsed: { ...facts, promptTokens, mediaTokens, fieldRanges, body } }
}

const tokensOf = (
  rule: MediaRule,
  { media }: MediaScan,
  body: Buffer,
  fieldRanges: ReadonlyMap<string, ByteRange>,
): number => {
  if (!media) return 0
  const model = readName(body, fieldRanges.get('model'))
  return media.reduce((sum, each) => sum + rule.tokensOf(each, model), 0)
}

/** A name that decides the price; undefined where it is none. */
export const readName = (body: Buffer, place: ByteRange | undefined): string | undefined => {
  if (!place || body[place.start] !== 0x22 || place.end - place.start > modelBytesMax)
    return undefined
  const written = body.toString('utf8', place.start + 1, place.end - 1)
  const name = written.includes('\\') ? (JSON.parse(`"${written}"`) as string) : written
  return name !== '' && name.isWellFormed() ? name : undefined
}

/** The value as it is written; undefined for an absent one and for null, which vendors take as absent. */
export const literal = (body: Buffer, place: ByteRange | undefined): string | undefined => {
  if (!place) return undefined
  const { start, end } = place
  // The usual ones first: to make a text of bytes costs more than all of this.
  if (isWritten(body, start, end, 'null')) return undefined
  if (isWritten(body, start, end, 'true')) return 'true'
  if (isWritten(body, start, end, 'false')) return 'false'
  return body.toString('latin1', start, Math.min(end, start + 64))
}

export const wholeNumber = (
  body: Buffer,
  place: ByteRange | undefined,
  least: number,
  most: number,
): number | 'wrong' | undefined => {
  if (!place) return undefined
  const value = digitsAt(body, place) ?? numberAt(body, place)
  if (value === undefined) return undefined
  return Number.isInteger(value) && value >= least && value <= most ? value : 'wrong'
}

/** What nearly every number is written with: a few digits; undefined for any other spelling. */
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

/** NaN for what is no number. A string would become one: "1" is one too many for most vendors. */
const numberAt = (body: Buffer, place: ByteRange): number | undefined => {
  const written = literal(body, place)
  if (written === undefined) return undefined
  return /^[-\d]/.test(written) ? Number(written) : Number.NaN
}

/** A list with something in it. */
export const isFilled = (body: Buffer, place: ByteRange | undefined): boolean =>
  place !== undefined &&
  body[place.start] === 0x5b &&
  body[skipSpace(body, place.start + 1, place.end)] !== 0x5d
