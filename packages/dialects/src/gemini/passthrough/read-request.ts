import { cursorOf, done, isWord, step, text } from '../../json/cursor.ts'
import { readFieldRanges } from '../../json/field-ranges.ts'
import {
  type InvalidBody,
  invalid,
  isFilled,
  isName,
  type RequestParams,
  readName,
  readRequest,
  wholeNumber,
} from '../../json/read-request.ts'
import type { ByteRange, ReadResult } from '../../parsed-request.ts'

import { mediaRule } from '../media.ts'

/** Parameters of the path `/v1beta/models/{model}:{action}`. */
export type Named = { model: string; stream: boolean }

/** Upstreams accept the first two spellings; the third is refused, because a lenient parser might accept it. */
const configKeys = ['generationConfig', 'generation_config', 'generationconfig'] as const
const limitKeys = ['maxOutputTokens', 'max_output_tokens', 'maxoutputtokens'] as const
const countKeys = ['candidateCount', 'candidate_count', 'candidatecount'] as const
const innerRequestKeys = [
  'requests',
  ...['generateContentRequest', 'generate_content_request', 'generatecontentrequest'],
] as const
const moneyKeys = ['model', ...configKeys, ...innerRequestKeys] as const

const tokensMax = 2 ** 31
const answersMax = 128

/** Reads the body in one scan. The path decides model and stream; a body that names another model is refused. */
export const read = (body: Buffer, pathParams?: Named): ReadResult =>
  readRequest(body, moneyKeys, mediaRule, (all, fieldRanges) =>
    readFacts(all, fieldRanges, pathParams),
  )

const readFacts = (
  body: Buffer,
  fieldRanges: ReadonlyMap<string, ByteRange>,
  pathParams: Named | undefined,
): RequestParams | InvalidBody => {
  const name = fieldRanges.has('model')
    ? readName(body, fieldRanges.get('model'))
    : pathParams?.model
  const model = pathParams?.model ?? plainName(name ?? '')
  if (name === undefined || !isName(model)) return invalid('The path must name a model.')
  const others = [name, ...namesInside(body, fieldRanges)].map(plainName)
  if (others.some(each => each !== plainName(model)))
    return { ok: false, reason: 'ambiguous', hint: 'The body names another model than the path.' }
  const range = rangeOf(fieldRanges, configKeys)
  if (range === 'twice') return ambiguousSpelling(configKeys)
  const settings = range ? readConfig(body, range) : {}
  if ('reason' in settings) return settings
  return {
    model,
    stream: pathParams?.stream ?? false,
    outputMax: settings.outputMax,
    n: settings.n ?? 1,
    hasTools: isFilled(body, fieldRanges.get('tools')),
    // Every stream of this vendor reports usage.
    wantsUsage: true,
  }
}

const readConfig = (
  body: Buffer,
  range: ByteRange,
): { outputMax?: number; n?: number } | InvalidBody => {
  if (body[range.start] === 0x6e) return {}
  const placed = readFieldRanges(body, range.start, range.end, [...limitKeys, ...countKeys])
  if (!placed.ok)
    return placed.reason === 'unreadable'
      ? invalid(`'${configKeys[0]}' must be an object.`)
      : placed
  const limitPlace = rangeOf(placed.fieldRanges, limitKeys)
  const answersPlace = rangeOf(placed.fieldRanges, countKeys)
  if (limitPlace === 'twice') return ambiguousSpelling(limitKeys)
  if (answersPlace === 'twice') return ambiguousSpelling(countKeys)
  const outputMax = wholeNumber(body, limitPlace, 0, tokensMax)
  if (outputMax === 'wrong')
    return invalid(`'${limitKeys[0]}' must be a whole number from 0 to 2^31.`)
  const n = wholeNumber(body, answersPlace, 1, answersMax)
  if (n === 'wrong')
    return invalid(`'${countKeys[0]}' must be a whole number from 1 to ${answersMax}.`)
  return { ...(outputMax === undefined ? {} : { outputMax }), ...(n === undefined ? {} : { n }) }
}

type Spellings = readonly [string, string, string]

const ambiguousSpelling = ([name]: Spellings): InvalidBody => ({
  ok: false,
  reason: 'ambiguous',
  hint: `'${name}' stands twice, or is written in another way.`,
})

const rangeOf = (
  fieldRanges: ReadonlyMap<string, ByteRange>,
  [camel, snake, folded]: Spellings,
): ByteRange | 'twice' | undefined => {
  if (fieldRanges.has(folded) || (fieldRanges.has(camel) && fieldRanges.has(snake))) return 'twice'
  return fieldRanges.get(camel) ?? fieldRanges.get(snake)
}

/** Returns the last segment of a resource name such as `models/gemini-3-pro`. */
export const plainName = (name: string): string => name.slice(name.lastIndexOf('/') + 1)

/** Model names inside the requests of a batch or of a token count. */
const namesInside = (body: Buffer, fieldRanges: ReadonlyMap<string, ByteRange>): string[] =>
  innerModels(body, fieldRanges).map(range => readName(body, range) ?? '')

/** Byte ranges of those names. */
export const innerModels = (
  body: Buffer,
  fieldRanges: ReadonlyMap<string, ByteRange>,
): ByteRange[] => {
  const found: ByteRange[] = []
  for (const key of innerRequestKeys) {
    const range = fieldRanges.get(key)
    if (!range) continue
    // Depth 1 is a single request, depth 2 an element of a list.
    const depth = body[range.start] === 0x5b ? 2 : 1
    const cursor = cursorOf(body, range.start, range.end)
    for (let token = step(cursor); token > done; token = step(cursor)) {
      if (cursor.depth !== depth || token !== text || cursor.keyStart < 0) continue
      if (isWord(body, cursor.keyStart, cursor.keyEnd, 'model'))
        found.push({ keyStart: cursor.keyStart, start: cursor.start, end: cursor.at })
    }
  }
  return found
}
