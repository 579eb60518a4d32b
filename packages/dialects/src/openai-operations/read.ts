import type { AnswerSummary, CallerFormat } from '../dialect.ts'
import { close, cursorOf, done, open, step } from '../json/cursor.ts'
import { readFieldRanges } from '../json/field-ranges.ts'
import { type InvalidBody, invalid, literal, readName } from '../json/read-request.ts'
import { splice } from '../json/splice.ts'
import type { ByteRange, PathParams } from '../parsed-request.ts'
import { noUsage, type Usage } from '../usage.ts'

type Ranges = ReadonlyMap<string, ByteRange>

/** Operations without choices, tools and reasoning. The pricing of the request bounds its output. */
export const plainParams = {
  stream: false,
  outputMax: undefined,
  n: 1,
  hasTools: false,
  wantsUsage: true,
} as const

/** Writes the model into a body that names none, so that the vendor serves the model that is charged. */
export const withDefaultModel = (body: Buffer, model: string): Buffer => {
  const top = readFieldRanges(body, 0, body.length, ['model'])
  if (!top.ok || literal(body, top.fieldRanges.get('model')) !== undefined) return body
  return splice({ body, fieldRanges: top.fieldRanges }, { model })
}

/** A format that reads this model where the body names none. */
export const withDefaultModelOf = <Format extends CallerFormat>(
  format: Format,
  model: string,
): Format => ({
  ...format,
  read: (body: Buffer, params?: PathParams) => format.read(withDefaultModel(body, model), params),
})

/** A format whose path names the model, whatever the body says. */
export const withModelOfPath = <Format extends CallerFormat>(format: Format): Format => ({
  ...format,
  read: (body: Buffer, params?: PathParams) => {
    const top = readFieldRanges(body, 0, body.length, ['model'])
    if (!top.ok || !params) return format.read(body, params)
    return format.read(splice({ body, fieldRanges: top.fieldRanges }, { model: params.model }))
  },
})

/** Returns undefined for an absent field and null, and a hint for any other value that is no text. */
export const readText = (
  body: Buffer,
  ranges: Ranges,
  key: string,
): string | InvalidBody | undefined => {
  const range = ranges.get(key)
  if (!range || literal(body, range) === undefined) return undefined
  if (body[range.start] !== 0x22) return invalid(`'${key}' must be a text.`)
  return JSON.parse(body.toString('utf8', range.start, range.end)) as string
}

export const readModel = (body: Buffer, ranges: Ranges): string | InvalidBody =>
  readName(body, ranges.get('model')) ?? invalid("'model' must be the name of a model.")

/** Returns false for an absent field. */
export const readFlag = (body: Buffer, ranges: Ranges, key: string): boolean | InvalidBody => {
  const value = literal(body, ranges.get(key)) ?? 'false'
  if (value !== 'true' && value !== 'false') return invalid(`'${key}' must be true or false.`)
  return value === 'true'
}

export const isInvalid = (value: unknown): value is InvalidBody =>
  typeof value === 'object' && value !== null && 'reason' in value

/** The number of elements of a list; undefined for a value that is no list. */
export const listLength = (body: Buffer, range: ByteRange | undefined): number | undefined => {
  if (!range || body[range.start] !== 0x5b) return undefined
  const cursor = cursorOf(body, range.start, range.end)
  let length = 0
  for (let token = step(cursor); token > done; token = step(cursor)) {
    const depth = token === open ? cursor.depth - 1 : cursor.depth
    if (token !== close && depth === 1) length += 1
  }
  return length
}

export const usageWith = (counts: Partial<Usage>): Usage => ({ ...noUsage(), ...counts })

/** The top-level list that makes a body an answer of the operation. */
type AnswerShape = {
  list: string
  decodeUsage(usage: unknown): Usage | 'broken' | undefined
  usageKey?: string
}

/** Reads a whole JSON answer without building its values, which may be megabytes of base64. */
export const answerReader =
  ({ list, decodeUsage, usageKey = 'usage' }: AnswerShape) =>
  (body: Buffer): AnswerSummary => {
    const top = readFieldRanges(body, 0, body.length, [])
    if (!top.ok) return { ok: false, failure: undefined }
    const { fieldRanges } = top
    const answer = fieldRanges.get(list)
    const hasError = literal(body, fieldRanges.get('error')) !== undefined
    if (!answer || body[answer.start] !== 0x5b || hasError)
      return { ok: false, failure: JSON.parse(body.toString()) }
    const usage = fieldRanges.get(usageKey)
    if (literal(body, usage) === undefined) return { ok: true, usage: undefined, meteredTokens: 0 }
    const decoded = decodeUsage(JSON.parse(body.toString('utf8', usage!.start, usage!.end)))
    return { ok: true, usage: decoded, meteredTokens: 0 }
  }
