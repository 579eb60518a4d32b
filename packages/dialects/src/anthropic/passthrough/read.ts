import type { Place, ReadResult } from '../../dialect.ts'
import {
  type Facts,
  invalid,
  isFilled,
  literal,
  type Refusal,
  readAsk,
  readName,
  wholeNumber,
} from '../../json/values.ts'

import { mediaRule } from './media.ts'

/** What decides the price, and how the answer is delivered. */
const moneyKeys = ['model', 'stream', 'max_tokens'] as const

const tokensMax = 2 ** 31

/** One exact scan: nothing is decoded that does not decide something. Also of a count, which has no limit. */
export const read = (body: Buffer): ReadResult => readAsk(body, moneyKeys, mediaRule, readFacts)

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
