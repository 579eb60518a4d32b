import type { Ask, Place, ReadResult } from '../dialect.ts'
import { placesOf } from '../json/places.ts'
import {
  invalid,
  isFilled,
  literal,
  type Refusal,
  readName,
  readTop,
  wholeNumber,
} from '../json/values.ts'

import { mediaRule } from './media.ts'

/** What decides the price, and how the answer is delivered. */
const moneyKeys = [
  'model',
  'stream',
  'max_tokens',
  'max_completion_tokens',
  'n',
  'stream_options',
] as const
const usageKeys = ['include_usage'] as const

const tokensMax = 2 ** 31
const answersMax = 128

/** One exact scan: nothing is decoded that does not decide something. */
export const read = (body: Buffer): ReadResult => {
  const top = readTop(body, moneyKeys, mediaRule)
  if (!top.ok) return top
  const { places, promptTokens, mediaTokens } = top
  const facts = readFacts(body, places)
  if ('why' in facts) return facts
  return { ok: true, ask: { ...facts, promptTokens, mediaTokens, places, body } }
}

type Facts = Omit<Ask, 'promptTokens' | 'mediaTokens' | 'places' | 'body'>

const readFacts = (body: Buffer, places: ReadonlyMap<string, Place>): Facts | Refusal => {
  const model = readName(body, places.get('model'))
  if (model === undefined) return invalid("'model' must be the name of a model.")
  const stream = literal(body, places.get('stream')) ?? 'false'
  if (stream !== 'true' && stream !== 'false') return invalid("'stream' must be true or false.")
  const n = wholeNumber(body, places.get('n'), 1, answersMax)
  if (n === 'wrong') return invalid(`'n' must be a whole number from 1 to ${answersMax}.`)
  const limits: number[] = []
  for (const key of ['max_tokens', 'max_completion_tokens'] as const) {
    const limit = wholeNumber(body, places.get(key), 0, tokensMax)
    if (limit === 'wrong') return invalid(`'${key}' must be a whole number from 0 to 2^31.`)
    if (limit !== undefined) limits.push(limit)
  }
  const wantsUsage = readWantsUsage(body, places.get('stream_options'))
  if (typeof wantsUsage !== 'boolean') return wantsUsage
  return {
    model,
    stream: stream === 'true',
    outputMax: limits.length > 0 ? Math.max(...limits) : undefined,
    n: n ?? 1,
    hasTools: isFilled(body, places.get('tools')) || isFilled(body, places.get('functions')),
    wantsUsage,
  }
}

const readWantsUsage = (body: Buffer, place: Place | undefined): boolean | Refusal => {
  if (literal(body, place) === undefined) return false
  const inner = placesOf(body, place!.start, place!.end, usageKeys)
  if (!inner.ok)
    return inner.why === 'unreadable' ? invalid("'stream_options' must be an object.") : inner
  const wanted = literal(body, inner.places.get('include_usage')) ?? 'false'
  if (wanted !== 'true' && wanted !== 'false')
    return invalid("'include_usage' must be true or false.")
  return wanted === 'true'
}
