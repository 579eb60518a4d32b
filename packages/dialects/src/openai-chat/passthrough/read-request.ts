import { readFieldRanges } from '../../json/field-ranges.ts'
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
import type { ByteRange, Edits, ParsedRequest, ReadResult } from '../../parsed-request.ts'
import { mediaRule } from '../media.ts'

/** Fields that determine the price and the delivery. An unusual spelling of their keys is refused. */
const guardedKeys = [
  'model',
  'stream',
  'max_tokens',
  'max_completion_tokens',
  'n',
  'stream_options',
] as const
const usageKeys = ['include_usage'] as const

const tokensMax = 2 ** 31
const choicesMax = 128

/** Scans the body once and decodes only the fields it needs. */
export const read = (body: Buffer): ReadResult =>
  readRequest(body, guardedKeys, mediaRule, readParams)

const readParams = (
  body: Buffer,
  ranges: ReadonlyMap<string, ByteRange>,
): RequestParams | InvalidBody => {
  const model = readName(body, ranges.get('model'))
  if (model === undefined) return invalid("'model' must be the name of a model.")
  const stream = literal(body, ranges.get('stream')) ?? 'false'
  if (stream !== 'true' && stream !== 'false') return invalid("'stream' must be true or false.")
  const n = wholeNumber(body, ranges.get('n'), 1, choicesMax)
  if (n === 'wrong') return invalid(`'n' must be a whole number from 1 to ${choicesMax}.`)
  const maxTokens = wholeNumber(body, ranges.get('max_tokens'), 0, tokensMax)
  if (maxTokens === 'wrong') return invalidLimit('max_tokens')
  const maxCompletionTokens = wholeNumber(body, ranges.get('max_completion_tokens'), 0, tokensMax)
  if (maxCompletionTokens === 'wrong') return invalidLimit('max_completion_tokens')
  const wantsUsage = readWantsUsage(body, ranges.get('stream_options'))
  if (typeof wantsUsage !== 'boolean') return wantsUsage
  return {
    model,
    stream: stream === 'true',
    outputMax: largerOf(maxTokens, maxCompletionTokens),
    n: n ?? 1,
    hasTools: isFilled(body, ranges.get('tools')) || isFilled(body, ranges.get('functions')),
    reasoning: readReasoning(body, ranges.get('reasoning_effort')),
    wantsUsage,
  }
}

/** https://platform.openai.com/docs/api-reference/chat/create#chat_create-reasoning_effort */
const readReasoning = (body: Buffer, range: ByteRange | undefined): 'on' | 'off' | undefined => {
  const effort = literal(body, range)
  if (effort === undefined) return undefined
  return effort === '"none"' ? 'off' : 'on'
}

const invalidLimit = (key: string): InvalidBody =>
  invalid(`'${key}' must be a whole number from 0 to 2^31.`)

const largerOf = (one: number | undefined, other: number | undefined): number | undefined =>
  one === undefined || other === undefined ? (one ?? other) : Math.max(one, other)

export const readWantsUsage = (
  body: Buffer,
  range: ByteRange | undefined,
): boolean | InvalidBody => {
  if (literal(body, range) === undefined) return false
  const inner = readFieldRanges(body, range!.start, range!.end, usageKeys)
  if (!inner.ok)
    return inner.reason === 'unreadable' ? invalid("'stream_options' must be an object.") : inner
  const value = literal(body, inner.fieldRanges.get('include_usage')) ?? 'false'
  if (value !== 'true' && value !== 'false')
    return invalid("'include_usage' must be true or false.")
  return value === 'true'
}

/** Upstreams report the usage of a stream only on request. The caller's other stream options stay. */
export const usageEdits = ({ stream, wantsUsage, fieldRanges, body }: ParsedRequest): Edits => {
  if (!stream || wantsUsage) return {}
  const range = fieldRanges.get('stream_options')
  const options = range ? JSON.parse(body.toString('utf8', range.start, range.end)) : {}
  return { stream_options: { ...options, include_usage: true } }
}
