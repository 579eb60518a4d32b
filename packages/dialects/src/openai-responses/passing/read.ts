import type { AskedState, Place, ReadResult } from '../../dialect.ts'
import { placesOf } from '../../json/places.ts'
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
export const read = (body: Buffer): ReadResult => readAsk(body, moneyKeys, mediaRule, readFacts)

const readFacts = (body: Buffer, places: ReadonlyMap<string, Place>): Facts | Refusal => {
  const model = readName(body, places.get('model'))
  if (model === undefined) return invalid("'model' must be the name of a model.")
  const stream = literal(body, places.get('stream')) ?? 'false'
  if (stream !== 'true' && stream !== 'false') return invalid("'stream' must be true or false.")
  const state = readState(body, places)
  if ('why' in state) return state
  const outputMax = wholeNumber(body, places.get('max_output_tokens'), 0, tokensMax)
  if (outputMax === 'wrong')
    return invalid("'max_output_tokens' must be a whole number from 0 to 2^31.")
  return {
    model,
    stream: stream === 'true',
    outputMax,
    n: 1,
    hasTools: isFilled(body, places.get('tools')),
    // The last event carries the usage, whoever asks.
    wantsUsage: true,
    state,
  }
}

/** https://platform.openai.com/docs/guides/conversation-state, https://platform.openai.com/docs/guides/background */
const readState = (body: Buffer, places: ReadonlyMap<string, Place>): AskedState | Refusal => {
  const background = literal(body, places.get('background')) ?? 'false'
  if (background !== 'true' && background !== 'false')
    return invalid("'background' must be true or false.")
  const store = literal(body, places.get('store')) ?? 'true'
  if (store !== 'true' && store !== 'false') return invalid("'store' must be true or false.")
  const previous = nameIn(body, places.get('previous_response_id'))
  if (previous === null) return invalid("'previous_response_id' must be the id of a response.")
  const conversation = conversationIn(body, places.get('conversation'))
  if (conversation === null) return invalid("'conversation' must name a conversation.")
  return {
    store: store === 'true',
    background: background === 'true',
    previous,
    conversation,
    refers: body.includes('"item_reference"'),
  }
}

/** Null: what stands there is no name. */
const nameIn = (body: Buffer, place: Place | undefined): string | undefined | null =>
  literal(body, place) === undefined ? undefined : (readName(body, place) ?? null)

/** By its id, or as an object that has it. */
const conversationIn = (body: Buffer, place: Place | undefined): string | undefined | null => {
  if (!place || body[place.start] !== 0x7b) return nameIn(body, place)
  const inner = placesOf(body, place.start, place.end, ['id'])
  return (inner.ok && readName(body, inner.places.get('id'))) || null
}
