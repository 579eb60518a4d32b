import type { ByteRange, ReadResult } from '../dialect.ts'
import { readFieldRanges } from '../json/field-ranges.ts'
import {
  type InvalidBody,
  invalid,
  isFilled,
  literal,
  type RequestFacts,
  readName,
  readRequest,
  wholeNumber,
} from '../json/read-request.ts'

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
export const read = (body: Buffer): ReadResult => readRequest(body, moneyKeys, mediaRule, readFacts)

const readFacts = (
  body: Buffer,
  fieldRanges: ReadonlyMap<string, ByteRange>,
): RequestFacts | InvalidBody => {
  const model = readName(body, fieldRanges.get('model'))
  if (model === undefined) return invalid("'model' must be the name of a model.")
  const stream = literal(body, fieldRanges.get('stream')) ?? 'false'
  if (stream !== 'true' && stream !== 'false') return invalid("'stream' must be true or false.")
  const n = wholeNumber(body, fieldRanges.get('n'), 1, answersMax)
  if (n === 'wrong') return invalid(`'n' must be a whole number from 1 to ${answersMax}.`)
  const former = wholeNumber(body, fieldRanges.get('max_tokens'), 0, tokensMax)
  if (former === 'wrong') return wrongLimit('max_tokens')
  const latter = wholeNumber(body, fieldRanges.get('max_completion_tokens'), 0, tokensMax)
  if (latter === 'wrong') return wrongLimit('max_completion_tokens')
  const wantsUsage = readWantsUsage(body, fieldRanges.get('stream_options'))
  if (typeof wantsUsage !== 'boolean') return wantsUsage
  return {
    model,
    stream: stream === 'true',
    outputMax: largerOf(former, latter),
    n: n ?? 1,
    hasTools:
      isFilled(body, fieldRanges.get('tools')) || isFilled(body, fieldRanges.get('functions')),
    wantsUsage,
  }
}

const wrongLimit = (key: string): InvalidBody =>
  invalid(`'${key}' must be a whole number from 0 to 2^31.`)

const largerOf = (one: number | undefined, other: number | undefined): number | undefined =>
  one === undefined || other === undefined ? (one ?? other) : Math.max(one, other)

const readWantsUsage = (body: Buffer, place: ByteRange | undefined): boolean | InvalidBody => {
  if (literal(body, place) === undefined) return false
  const inner = readFieldRanges(body, place!.start, place!.end, usageKeys)
  if (!inner.ok)
    return inner.reason === 'unreadable' ? invalid("'stream_options' must be an object.") : inner
  const wanted = literal(body, inner.fieldRanges.get('include_usage')) ?? 'false'
  if (wanted !== 'true' && wanted !== 'false')
    return invalid("'include_usage' must be true or false.")
  return wanted === 'true'
}
