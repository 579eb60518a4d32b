import { isUtf8 } from 'node:buffer'
import type { Ask, Place, ReadResult, Unreadable } from '../dialect.ts'
import { isWritten, skipSpace } from './cursor.ts'
import { type FoundMedia, type MediaRule, noneFound, watchMedia } from './media.ts'
import { placesOf } from './places.ts'

export type Refusal = { ok: false } & Unreadable
type Top = {
  ok: true
  places: Map<string, Place>
  promptTokens: number
  /** How many of them are for images and other media. */
  mediaTokens: number
}

const modelBytesMax = 512
const bytesPerToken = 3

export const invalid = (hint: string): Refusal => ({ ok: false, why: 'invalid', hint })

/** For bodies that have none. */
const noMedia: MediaRule = { data: [], links: [], tokensOf: () => 0 }

/** The top-level keys of a request, and a cautious estimate of what reading it costs; one exact scan. */
export const readTop = (
  body: Buffer,
  guarded: readonly string[],
  rule: MediaRule = noMedia,
): Top | Refusal => {
  if (!isUtf8(body)) return { ok: false, why: 'unreadable', hint: 'It is not UTF-8.' }
  const found = noneFound()
  const placed = placesOf(body, 0, body.length, guarded, (cursor, token) =>
    watchMedia(rule, found, cursor, token),
  )
  if (!placed.ok) return placed
  const { places } = placed
  const mediaTokens = tokensOf(rule, found, body, places)
  const textTokens = Math.ceil((body.length - found.bytes) / bytesPerToken)
  return { ok: true, places, promptTokens: textTokens + mediaTokens, mediaTokens }
}

/** What a request says of itself; the rest is what its bytes cost. */
export type Facts = Omit<Ask, 'promptTokens' | 'mediaTokens' | 'places' | 'body'>

/** One exact scan: nothing is decoded that does not decide something. */
export const readAsk = (
  body: Buffer,
  guarded: readonly string[],
  rule: MediaRule,
  factsIn: (body: Buffer, places: ReadonlyMap<string, Place>) => Facts | Refusal,
): ReadResult => {
  const top = readTop(body, guarded, rule)
  if (!top.ok) return top
  const { promptTokens, mediaTokens, places } = top
  const facts = factsIn(body, places)
  return 'why' in facts
    ? facts
    : { ok: true, ask: { ...facts, promptTokens, mediaTokens, places, body } }
}

const tokensOf = (
  rule: MediaRule,
  { media }: FoundMedia,
  body: Buffer,
  places: ReadonlyMap<string, Place>,
): number => {
  if (!media) return 0
  const model = readName(body, places.get('model'))
  return media.reduce((sum, each) => sum + rule.tokensOf(each, model), 0)
}

/** A name that decides the price; undefined where it is none. */
export const readName = (body: Buffer, place: Place | undefined): string | undefined => {
  if (!place || body[place.start] !== 0x22 || place.end - place.start > modelBytesMax)
    return undefined
  const written = body.toString('utf8', place.start + 1, place.end - 1)
  const name = written.includes('\\') ? (JSON.parse(`"${written}"`) as string) : written
  return name !== '' && name.isWellFormed() ? name : undefined
}

/** The value as it is written; undefined for an absent one and for null, which vendors take as absent. */
export const literal = (body: Buffer, place: Place | undefined): string | undefined => {
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
  place: Place | undefined,
  least: number,
  most: number,
): number | 'wrong' | undefined => {
  if (!place) return undefined
  const value = digitsAt(body, place) ?? numberAt(body, place)
  if (value === undefined) return undefined
  return Number.isInteger(value) && value >= least && value <= most ? value : 'wrong'
}

/** What nearly every number is written with: a few digits; undefined for any other spelling. */
const digitsAt = (body: Buffer, { start, end }: Place): number | undefined => {
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
const numberAt = (body: Buffer, place: Place): number | undefined => {
  const written = literal(body, place)
  if (written === undefined) return undefined
  return /^[-\d]/.test(written) ? Number(written) : Number.NaN
}

/** A list with something in it. */
export const isFilled = (body: Buffer, place: Place | undefined): boolean =>
  place !== undefined &&
  body[place.start] === 0x5b &&
  body[skipSpace(body, place.start + 1, place.end)] !== 0x5d
