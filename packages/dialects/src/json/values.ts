import { isUtf8 } from 'node:buffer'
import type { Place, Unreadable } from '../dialect.ts'
import { skipSpace } from './cursor.ts'
import { type MediaRule, mediaWatch } from './media.ts'
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
  const { watch, found, bytes } = mediaWatch(rule)
  const placed = placesOf(body, 0, body.length, guarded, watch)
  if (!placed.ok) return placed
  const { places } = placed
  const model = readName(body, places.get('model'))
  const mediaTokens = found.reduce((sum, each) => sum + rule.tokensOf(each, model), 0)
  const textTokens = Math.ceil((body.length - bytes()) / bytesPerToken)
  return { ok: true, places, promptTokens: textTokens + mediaTokens, mediaTokens }
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
  const written = body.toString('latin1', place.start, Math.min(place.end, place.start + 64))
  return written === 'null' ? undefined : written
}

export const wholeNumber = (
  body: Buffer,
  place: Place | undefined,
  least: number,
  most: number,
): number | 'wrong' | undefined => {
  const written = literal(body, place)
  if (written === undefined) return undefined
  // A string would become a number here: "1" is one too many for most vendors.
  const value = /^[-\d]/.test(written) ? Number(written) : Number.NaN
  return Number.isInteger(value) && value >= least && value <= most ? value : 'wrong'
}

/** A list with something in it. */
export const isFilled = (body: Buffer, place: Place | undefined): boolean =>
  place !== undefined &&
  body[place.start] === 0x5b &&
  body[skipSpace(body, place.start + 1, place.end)] !== 0x5d
