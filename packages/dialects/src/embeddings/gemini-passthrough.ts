import type { AnswerSummary } from '../dialect.ts'
import { read as readChat } from '../gemini/passthrough/read-request.ts'
import { decodeUsage } from '../gemini/usage.ts'
import { cursorOf, text } from '../json/cursor.ts'
import { readFieldRanges } from '../json/field-ranges.ts'
import { invalid } from '../json/read-request.ts'
import type { PathParams, ReadResult } from '../parsed-request.ts'
import { noUsage } from '../usage.ts'
import { inputTokensIn, isKey, plainAsk, valueAt } from './passthrough.ts'

/** Reads like a chat request: the path decides the model, and no request of a batch may name another. */
export const read = (body: Buffer, named?: PathParams): ReadResult => {
  const decodedRequest = readChat(body, named)
  if (!decodedRequest.ok) return decodedRequest
  const { model, fieldRanges, mediaTokens = 0, hasAddresses } = decodedRequest.parsed
  const isBatch = fieldRanges.has('requests')
  if (named?.action !== undefined && isBatch !== (named.action === 'batchEmbedContents'))
    return invalid("'batchEmbedContents' takes 'requests', 'embedContent' takes 'content'.")
  const texts = inputTokensIn(
    cursorOf(body),
    (cursor, token) => token === text && (isKey(cursor, 'text') || isKey(cursor, 'title')),
  )
  const promptTokens = texts + mediaTokens
  return {
    ok: true,
    parsed: {
      ...plainAsk,
      model,
      promptTokens,
      mediaTokens,
      isBatch,
      ...(hasAddresses === undefined ? {} : { hasAddresses }),
      fieldRanges,
      body,
    },
  }
}

/** Top-level keys of responses with the first byte of their values; Vertex sends `predictions`. */
const answers = { embedding: 0x7b, embeddings: 0x5b, predictions: 0x5b }

/** Responses report input tokens only, and only for some models. */
export const readAnswer = (body: Buffer): AnswerSummary => {
  const placed = readFieldRanges(body, 0, body.length, [])
  if (!placed.ok) return { ok: false, failure: undefined }
  const { fieldRanges } = placed
  const isAnswer = Object.entries(answers).some(([key, opener]) => {
    const place = fieldRanges.get(key)
    return place !== undefined && body[place.start] === opener
  })
  if (!isAnswer || fieldRanges.has('error'))
    return { ok: false, failure: JSON.parse(body.toString()) }
  const encoded = valueAt({ body, fieldRanges }, 'usageMetadata')
  const usage = encoded === undefined ? undefined : decodeUsage(JSON.parse(encoded))
  if (typeof usage !== 'object') return { ok: true, usage, meteredTokens: 0 }
  const { input, imageInput, audioInput } = usage
  return { ok: true, usage: { ...noUsage(), input, imageInput, audioInput }, meteredTokens: 0 }
}
