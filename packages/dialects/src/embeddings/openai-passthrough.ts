import type { Ask, ReadResult, ReplyFacts } from '../dialect.ts'
import { type Cursor, cursorOf, open, scalar, text } from '../json/cursor.ts'
import { placesOf } from '../json/places.ts'
import { invalid, readName, readTop } from '../json/values.ts'
import { base64Of, vectorOf } from './openai.ts'
import { inputTokensIn, isKey, plainAsk, valueAt } from './passthrough.ts'
import { decodeUsage } from './usage.ts'

/** What decides the price, and the form of the answer. */
const guarded = ['model', 'input', 'encoding_format'] as const

export const read = (body: Buffer): ReadResult => {
  const top = readTop(body, guarded)
  if (!top.ok) return top
  const { places } = top
  const model = readName(body, places.get('model'))
  if (model === undefined) return invalid("'model' must be the name of a model.")
  const input = places.get('input')
  if (!input || !isInput(body[input.start]!))
    return invalid("'input' must be a text, a list of texts, or numbers of tokens.")
  const cursor = cursorOf(body, input.start, input.end)
  const promptTokens = inputTokensIn(cursor, (_, token) => token === text || token === scalar)
  return { ok: true, ask: { ...plainAsk, model, promptTokens, places, body } }
}

/** A text or a list. */
const isInput = (byte: number) => byte === 0x22 || byte === 0x5b

type Look = {
  /** How the vectors are written; undefined: there are none. */
  form: 'base64' | 'numbers' | undefined
  usage: string | undefined
}

/** Undefined for what is no answer. */
const look = (body: Buffer): Look | undefined => {
  let form: Look['form']
  const placed = placesOf(body, 0, body.length, [], (cursor, token) => {
    form ??= formAt(cursor, token)
  })
  if (!placed.ok || placed.places.has('error')) return undefined
  const data = placed.places.get('data')
  if (!data || body[data.start] !== 0x5b) return undefined
  return { form, usage: valueAt({ body, places: placed.places }, 'usage') }
}

/** `{"data":[{"embedding":` and what follows. */
const formAt = (cursor: Cursor, token: number): Look['form'] => {
  if (token === open && cursor.depth === 4 && isKey(cursor, 'embedding')) return 'numbers'
  return token === text && cursor.depth === 3 && isKey(cursor, 'embedding') ? 'base64' : undefined
}

export const readReply = (body: Buffer): ReplyFacts => {
  const looked = look(body)
  if (!looked) return { ok: false, failure: parsed(body) }
  const { usage } = looked
  const told = usage === undefined ? undefined : decodeUsage(JSON.parse(usage))
  return { ok: true, usage: told, metered: 0 }
}

const parsed = (body: Buffer): unknown => {
  try {
    return JSON.parse(body.toString())
  } catch {
    return undefined
  }
}

type Reply = { data: { embedding?: unknown }[] }

/**
 * OpenAI's own client asks for base64 and takes what comes for it; many vendors know only numbers. Everything but the
 * vectors is told as it came.
 */
export const fit = (ask: Ask, body: Buffer): Buffer => {
  const wanted = valueAt(ask, 'encoding_format') === '"base64"' ? 'base64' : 'numbers'
  const form = look(body)?.form
  if (form === undefined || form === wanted) return body
  const reply = JSON.parse(body.toString()) as Reply
  for (const each of reply.data) {
    const vector = vectorOf(each.embedding)
    each.embedding = wanted === 'base64' ? base64Of(vector) : vector
  }
  return Buffer.from(JSON.stringify(reply))
}
