import {
  type InvalidBody,
  invalid,
  isFilled,
  literal,
  type RequestParams,
  readName,
  readRequest,
  wholeNumber,
} from '../../json/read-request.ts'
import type { ByteRange, ReadResult } from '../../parsed-request.ts'

import { mediaRule } from '../media.ts'

/** Keys that decide the price or the delivery; a body with one of them twice is refused. */
const moneyKeys = ['model', 'stream', 'max_tokens'] as const

const tokensMax = 2 ** 31

/** Reads a message or a token count request in one scan, without decoding the messages. */
export const read = (body: Buffer): ReadResult => readRequest(body, moneyKeys, mediaRule, readFacts)

const readFacts = (
  body: Buffer,
  fieldRanges: ReadonlyMap<string, ByteRange>,
): RequestParams | InvalidBody => {
  const model = readName(body, fieldRanges.get('model'))
  if (model === undefined) return invalid("'model' must be the name of a model.")
  const stream = literal(body, fieldRanges.get('stream')) ?? 'false'
  if (stream !== 'true' && stream !== 'false') return invalid("'stream' must be true or false.")
  const outputMax = wholeNumber(body, fieldRanges.get('max_tokens'), 0, tokensMax)
  if (outputMax === 'wrong') return invalid("'max_tokens' must be a whole number from 0 to 2^31.")
  return {
    model,
    stream: stream === 'true',
    outputMax,
    n: 1,
    hasTools: isFilled(body, fieldRanges.get('tools')),
    // Every stream of this vendor reports usage.
    wantsUsage: true,
  }
}
