import type { AnswerSummary } from '../dialect.ts'
import { type Cursor, cursorOf, open, scalar, text } from '../json/cursor.ts'
import { readFieldRanges } from '../json/field-ranges.ts'
import { invalid, readName, readTop } from '../json/read-request.ts'
import type { ParsedRequest, ReadResult } from '../parsed-request.ts'
import { base64Of, vectorOf } from './openai.ts'
import { inputTokensIn, isKey, plainAsk, valueAt } from './passthrough.ts'
import { decodeUsage } from './usage.ts'

/** Keys that decide the price or the response format; a body with one of them twice is refused. */
const guarded = ['model', 'input', 'encoding_format'] as const

export const read = (body: Buffer): ReadResult => {
  const top = readTop(body, guarded)
  if (!top.ok) return top
  const { fieldRanges, hasAddresses } = top
  const model = readName(body, fieldRanges.get('model'))
  if (model === undefined) return invalid("'model' must be the name of a model.")
  const input = fieldRanges.get('input')
  if (!input || !isInput(body[input.start]!))
    return invalid("'input' must be a text, a list of texts, or numbers of tokens.")
  const cursor = cursorOf(body, input.start, input.end)
  const promptTokens = inputTokensIn(cursor, (_, token) => token === text || token === scalar)
  return { ok: true, parsed: { ...plainAsk, model, promptTokens, hasAddresses, fieldRanges, body } }
}

/** Tells whether the value is a string or a list, by its first byte. */
const isInput = (byte: number) => byte === 0x22 || byte === 0x5b

type Look = {
  /** Format of the vectors; undefined without vectors. */
  form: 'base64' | 'numbers' | undefined
  usage: string | undefined
}

/** Returns undefined unless the body is a response. */
const look = (body: Buffer): Look | undefined => {
  let form: Look['form']
  const placed = readFieldRanges(body, 0, body.length, [], (cursor, token) => {
    form ??= formAt(cursor, token)
  })
  if (!placed.ok || placed.fieldRanges.has('error')) return undefined
  const data = placed.fieldRanges.get('data')
  if (!data || body[data.start] !== 0x5b) return undefined
  return { form, usage: valueAt({ body, fieldRanges: placed.fieldRanges }, 'usage') }
}

/** Detects the value of `data[].embedding`. */
const formAt = (cursor: Cursor, token: number): Look['form'] => {
  if (token === open && cursor.depth === 4 && isKey(cursor, 'embedding')) return 'numbers'
  return token === text && cursor.depth === 3 && isKey(cursor, 'embedding') ? 'base64' : undefined
}

export const readAnswer = (body: Buffer): AnswerSummary => {
  const looked = look(body)
  if (!looked) return { ok: false, failure: parsed(body) }
  const { usage } = looked
  const encoded = usage === undefined ? undefined : decodeUsage(JSON.parse(usage))
  return { ok: true, usage: encoded, meteredTokens: 0 }
}

const parsed = (body: Buffer): unknown => {
  try {
    return JSON.parse(body.toString())
  } catch {
    return undefined
  }
}

type Answer = { data: { embedding?: unknown }[] }

/**
 * Converts the vectors to the requested format. OpenAI's client requests base64 and does not check the answer, but many
 * vendors send only numbers.
 */
export const normalizeAnswer = (ask: ParsedRequest, body: Buffer): Buffer => {
  const expected = valueAt(ask, 'encoding_format') === '"base64"' ? 'base64' : 'numbers'
  const form = look(body)?.form
  if (form === undefined || form === expected) return body
  const answer = JSON.parse(body.toString()) as Answer
  for (const each of answer.data) {
    const vector = vectorOf(each.embedding)
    each.embedding = expected === 'base64' ? base64Of(vector) : vector
  }
  return Buffer.from(JSON.stringify(answer))
}
