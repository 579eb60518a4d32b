import type { CallerFormat } from '../dialect.ts'
import { inputTokensIn } from '../embeddings/passthrough.ts'
import { cursorOf, scalar, skipSpace, text } from '../json/cursor.ts'
import { invalid, literal, readTop, wholeNumber } from '../json/read-request.ts'
import { splice } from '../json/splice.ts'
import { openaiBase } from '../openai-chat/base.ts'
import { readWantsUsage, usageEdits } from '../openai-chat/passthrough/read-request.ts'
import { readAnswer } from '../openai-chat/passthrough/read-response.ts'
import { observeStream } from '../openai-chat/passthrough/stream-observer.ts'
import type { ByteRange, ReadResult } from '../parsed-request.ts'
import { isInvalid, listLength, readFlag, readModel } from './read.ts'

const guarded = [
  'model',
  'prompt',
  'suffix',
  'stream',
  'max_tokens',
  'n',
  'best_of',
  'echo',
  'stream_options',
] as const

const tokensMax = 2 ** 31
const choicesMax = 128

const read = (body: Buffer): ReadResult => {
  const top = readTop(body, guarded)
  if (!top.ok) return top
  const { fieldRanges: ranges, hasAddresses } = top
  const model = readModel(body, ranges)
  if (isInvalid(model)) return model
  const prompt = ranges.get('prompt')
  const prompts = promptCount(body, prompt)
  if (prompts === undefined)
    return invalid("'prompt' must be a text, a list of texts, or numbers of tokens.")
  const stream = readFlag(body, ranges, 'stream')
  if (isInvalid(stream)) return stream
  const echo = readFlag(body, ranges, 'echo')
  if (isInvalid(echo)) return echo
  const maxTokens = wholeNumber(body, ranges.get('max_tokens'), 0, tokensMax)
  if (maxTokens === 'wrong') return invalid("'max_tokens' must be a whole number from 0 to 2^31.")
  const n = wholeNumber(body, ranges.get('n'), 1, choicesMax)
  if (n === 'wrong') return invalid(`'n' must be a whole number from 1 to ${choicesMax}.`)
  // The vendor makes, and charges, as many answers as it chooses the best ones of.
  const bestOf = wholeNumber(body, ranges.get('best_of'), 1, choicesMax)
  if (bestOf === 'wrong')
    return invalid(`'best_of' must be a whole number from 1 to ${choicesMax}.`)
  const wantsUsage = readWantsUsage(body, ranges.get('stream_options'))
  if (typeof wantsUsage !== 'boolean') return wantsUsage
  const promptTokens = textTokens(body, prompt) + textTokens(body, ranges.get('suffix'))
  return {
    ok: true,
    parsed: {
      model,
      stream,
      // An answer with `echo` begins with the prompt.
      outputMax: maxTokens === undefined ? undefined : maxTokens + (echo ? promptTokens : 0),
      n: Math.max(n ?? 1, bestOf ?? 1) * prompts,
      hasTools: false,
      wantsUsage,
      promptTokens,
      hasAddresses,
      fieldRanges: ranges,
      body,
    },
  }
}

/** Each prompt of a list has answers of its own; a list of numbers is one prompt. Undefined: no prompt. */
const promptCount = (body: Buffer, range: ByteRange | undefined): number | undefined => {
  // The default of an absent prompt is the marker of a new document.
  if (literal(body, range) === undefined) return 1
  const { start, end } = range!
  if (body[start] === 0x22) return 1
  if (body[start] !== 0x5b) return undefined
  const first = body[skipSpace(body, start + 1, end)]
  return first === 0x22 || first === 0x5b ? listLength(body, range) : 1
}

const textTokens = (body: Buffer, range: ByteRange | undefined): number =>
  range
    ? inputTokensIn(
        cursorOf(body, range.start, range.end),
        (_, token) => token === text || token === scalar,
      )
    : 0

/** A vendor that ignores `stream` sends the only chunk of a stream. */
const splitAnswer = (body: Buffer): Buffer =>
  Buffer.from(`data: ${JSON.stringify(JSON.parse(body.toString()))}\n\ndata: [DONE]\n\n`)

/** https://platform.openai.com/docs/api-reference/completions */
export const openaiCompletions: CallerFormat = {
  ...openaiBase,
  id: 'openai',
  read,
  usageEdits,
  limitOutput: (parsed, limit) => splice(parsed, { max_tokens: limit }),
  observeStream,
  readAnswer,
  splitAnswer,
}
