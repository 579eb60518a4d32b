import type { Named, ReadResult, ReplyFacts } from '../dialect.ts'
import { read as readChat } from '../gemini/passthrough/read.ts'
import { decodeUsage } from '../gemini/usage.ts'
import { cursorOf, text } from '../json/cursor.ts'
import { placesOf } from '../json/places.ts'
import { invalid } from '../json/values.ts'
import { noUsage } from '../usage.ts'
import { inputTokensIn, isKey, plainAsk, valueAt } from './passthrough.ts'

/** As a chat is read: the path names the model, and a body, each of a batch too, may name no other. */
export const read = (body: Buffer, named?: Named): ReadResult => {
  const asked = readChat(body, named)
  if (!asked.ok) return asked
  const { model, places, mediaTokens = 0 } = asked.ask
  const isBatch = places.has('requests')
  if (named?.action !== undefined && isBatch !== (named.action === 'batchEmbedContents'))
    return invalid("'batchEmbedContents' takes 'requests', 'embedContent' takes 'content'.")
  const texts = inputTokensIn(
    cursorOf(body),
    (cursor, token) => token === text && (isKey(cursor, 'text') || isKey(cursor, 'title')),
  )
  const promptTokens = texts + mediaTokens
  return { ok: true, ask: { ...plainAsk, model, promptTokens, mediaTokens, isBatch, places, body } }
}

/** What its answers have at their top, and what opens it; the last is Vertex's. */
const answers = { embedding: 0x7b, embeddings: 0x5b, predictions: 0x5b }

/** Only what was read is told, and not by every model. */
export const readReply = (body: Buffer): ReplyFacts => {
  const placed = placesOf(body, 0, body.length, [])
  if (!placed.ok) return { ok: false, failure: undefined }
  const { places } = placed
  const isAnswer = Object.entries(answers).some(([key, opener]) => {
    const place = places.get(key)
    return place !== undefined && body[place.start] === opener
  })
  if (!isAnswer || places.has('error')) return { ok: false, failure: JSON.parse(body.toString()) }
  const told = valueAt({ body, places }, 'usageMetadata')
  const usage = told === undefined ? undefined : decodeUsage(JSON.parse(told))
  if (typeof usage !== 'object') return { ok: true, usage, metered: 0 }
  const { input, imageInput, audioInput } = usage
  return { ok: true, usage: { ...noUsage(), input, imageInput, audioInput }, metered: 0 }
}
