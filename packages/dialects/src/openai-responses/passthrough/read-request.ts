import { includesWord } from '../../json/escapes.ts'
import { readFieldRanges } from '../../json/field-ranges.ts'
import type { MediaRule } from '../../json/media.ts'
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
import { tokensOf } from '../../openai-chat/media.ts'
import type { ByteRange, ReadResult, StateParams } from '../../parsed-request.ts'
import { compacting, compactionTrigger } from '../compact/summary.ts'

/** The vendor counts as in chat. URLs and file ids have other keys. */
const mediaRule: MediaRule = {
  // `result` contains a generated image.
  data: ['image_url', 'file_data', 'data', 'result'],
  links: ['image_url', 'file_id', 'file_url'],
  tokensOf,
}

/** Fields that determine the price and the delivery. An unusual spelling of their keys is refused. */
const guardedKeys = [
  'model',
  'stream',
  'max_output_tokens',
  'background',
  // Access to stored responses.
  'store',
  'previous_response_id',
  'conversation',
] as const

const tokensMax = 2 ** 31

/** Scans the body once and decodes only the fields it needs. */
export const read = (body: Buffer): ReadResult => {
  const result = readRequest(body, guardedKeys, mediaRule, readParams)
  const isCompacting = result.ok && includesWord(body, `"${compactionTrigger}"`)
  if (!isCompacting || !result.parsed.state) return result
  return { ok: true, parsed: compacting(result.parsed, result.parsed.state) }
}

const readParams = (
  body: Buffer,
  fieldRanges: ReadonlyMap<string, ByteRange>,
): RequestParams | InvalidBody => {
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
    // An item of the input may declare tools: the requests of Codex for OpenAI's newest models do.
    hasTools:
      isFilled(body, fieldRanges.get('tools')) ||
      body.includes('"additional_tools"') ||
      body.includes('"tool_search_output"'),
    // The last event always contains the usage.
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
  const previousResponseId = readOptionalName(body, fieldRanges.get('previous_response_id'))
  if (previousResponseId === null)
    return invalid("'previous_response_id' must be the id of a response.")
  const conversationId = readConversation(body, fieldRanges.get('conversation'))
  if (conversationId === null) return invalid("'conversation' must name a conversation.")
  return {
    store: store === 'true',
    background: background === 'true',
    previousResponseId,
    conversationId,
    hasItemReferences: includesWord(body, '"item_reference"'),
  }
}

/** Returns null for a value that is no name. */
const readOptionalName = (body: Buffer, range: ByteRange | undefined): string | undefined | null =>
  literal(body, range) === undefined ? undefined : (readName(body, range) ?? null)

/** The conversation is an id, or an object with the id. */
const readConversation = (
  body: Buffer,
  range: ByteRange | undefined,
): string | undefined | null => {
  if (!range || body[range.start] !== 0x7b) return readOptionalName(body, range)
  const inner = readFieldRanges(body, range.start, range.end, ['id'])
  return (inner.ok && readName(body, inner.fieldRanges.get('id'))) || null
}
