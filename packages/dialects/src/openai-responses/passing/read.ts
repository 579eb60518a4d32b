import type { ByteRange, ReadResult, StateParams } from '../../dialect.ts'
import { readFieldRanges } from '../../json/field-ranges.ts'
import {
  type InvalidBody,
  invalid,
  isFilled,
  literal,
  type RequestFacts,
  readName,
  readRequest,
  wholeNumber,
} from '../../json/read-request.ts'

import { mediaRule } from './media.ts'

/** What decides the price, and how the answer is delivered. */
const moneyKeys = [
  'model',
  'stream',
  'max_output_tokens',
  'background',
  // And whose answers are read.
  'store',
  'previous_response_id',
  'conversation',
] as const

const tokensMax = 2 ** 31

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
  const state = readState(body, fieldRanges)
  if ('reason' in state) return state
  const outputMax = wholeNumber(body, fieldRanges.get('max_output_tokens'), 0, tokensMax)
  if (outputMax === 'wrong')
    return invalid("'max_output_tokens' must be a whole number from 0 to 2^31.")
  return {
    model,
    stream: stream === 'true',
    outputMax,
    n: 1,
    hasTools: isFilled(body, fieldRanges.get('tools')),
    // The last event carries the usage, whoever asks.
    wantsUsage: true,
    state,
  }
}

/** https://platform.openai.com/docs/guides/conversation-state, https://platform.openai.com/docs/guides/background */
const readState = (
  body: Buffer,
  fieldRanges: ReadonlyMap<string, ByteRange>,
): StateParams | InvalidBody => {
  const background = literal(body, fieldRanges.get('background')) ?? 'false'
  if (background !== 'true' && background !== 'false')
    return invalid("'background' must be true or false.")
  const store = literal(body, fieldRanges.get('store')) ?? 'true'
  if (store !== 'true' && store !== 'false') return invalid("'store' must be true or false.")
  const previous = nameIn(body, fieldRanges.get('previous_response_id'))
  if (previous === null) return invalid("'previous_response_id' must be the id of a response.")
  const conversation = conversationIn(body, fieldRanges.get('conversation'))
  if (conversation === null) return invalid("'conversation' must name a conversation.")
  return {
    store: store === 'true',
    background: background === 'true',
    previousResponseId: previous,
    conversationId: conversation,
    hasItemReferences: body.includes('"item_reference"'),
  }
}

/** Null: what stands there is no name. */
const nameIn = (body: Buffer, place: ByteRange | undefined): string | undefined | null =>
  literal(body, place) === undefined ? undefined : (readName(body, place) ?? null)

/** By its id, or as an object that has it. */
const conversationIn = (body: Buffer, place: ByteRange | undefined): string | undefined | null => {
  if (!place || body[place.start] !== 0x7b) return nameIn(body, place)
  const inner = readFieldRanges(body, place.start, place.end, ['id'])
  return (inner.ok && readName(body, inner.fieldRanges.get('id'))) || null
}
