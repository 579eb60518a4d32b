import type { Ask, Place, ReadResult } from '../../dialect.ts'
import {
  invalid,
  isFilled,
  literal,
  type Refusal,
  readName,
  readTop,
  wholeNumber,
} from '../../json/values.ts'

import { mediaRule } from './media.ts'

/** What decides the price, and how the answer is delivered. */
const moneyKeys = ['model', 'stream', 'max_tokens'] as const

const tokensMax = 2 ** 31

/** One exact scan: nothing is decoded that does not decide something. Also of a count, which has no limit. */
export const read = (body: Buffer): ReadResult => {
  const top = readTop(body, moneyKeys, mediaRule)
  if (!top.ok) return top
  const facts = readFacts(body, top.places)
  if ('why' in facts) return facts
  const { promptTokens, mediaTokens, places } = top
  return { ok: true, ask: { ...facts, promptTokens, mediaTokens, places, body } }
}

type Facts = Omit<Ask, 'promptTokens' | 'mediaTokens' | 'places' | 'body'>

const readFacts = (body: Buffer, places: ReadonlyMap<string, Place>): Facts | Refusal => {
  const model = readName(body, places.get('model'))
  if (model === undefined) return invalid("'model' must be the name of a model.")
  const stream = literal(body, places.get('stream')) ?? 'false'
  if (stream !== 'true' && stream !== 'false') return invalid("'stream' must be true or false.")
  const outputMax = wholeNumber(body, places.get('max_tokens'), 0, tokensMax)
  if (outputMax === 'wrong') return invalid("'max_tokens' must be a whole number from 0 to 2^31.")
  return {
    model,
    stream: stream === 'true',
    outputMax,
    n: 1,
    hasTools: isFilled(body, places.get('tools')),
    // Every stream tells it, whoever asks.
    wantsUsage: true,
  }
}
