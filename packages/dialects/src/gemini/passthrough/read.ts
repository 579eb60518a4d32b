import type { Place, ReadResult } from '../../dialect.ts'
import { cursorOf, done, isWord, step, text } from '../../json/cursor.ts'
import { placesOf } from '../../json/places.ts'
import {
  type Facts,
  invalid,
  isFilled,
  type Refusal,
  readAsk,
  readName,
  wholeNumber,
} from '../../json/values.ts'

import { mediaRule } from './media.ts'

/** What the path says: `/v1beta/models/{model}:{action}`. */
export type Named = { model: string; stream: boolean }

/** Upstreams take both spellings of a field; the third is none, and some parser might take it for one. */
const config = ['generationConfig', 'generation_config', 'generationconfig'] as const
const limit = ['maxOutputTokens', 'max_output_tokens', 'maxoutputtokens'] as const
const answers = ['candidateCount', 'candidate_count', 'candidatecount'] as const
const inner = [
  'requests',
  ...['generateContentRequest', 'generate_content_request', 'generatecontentrequest'],
] as const
const moneyKeys = ['model', ...config, ...inner] as const

const tokensMax = 2 ** 31
const answersMax = 128

/** One exact scan. The model and whether to stream stand in the path; a body that names another model is refused. */
export const read = (body: Buffer, named?: Named): ReadResult =>
  readAsk(body, moneyKeys, mediaRule, (all, places) => readFacts(all, places, named))

const readFacts = (
  body: Buffer,
  places: ReadonlyMap<string, Place>,
  named: Named | undefined,
): Facts | Refusal => {
  const told = places.has('model') ? readName(body, places.get('model')) : named?.model
  const model = named?.model ?? plainName(told ?? '')
  if (told === undefined || model === '') return invalid('The path must name a model.')
  const others = [told, ...namesInside(body, places)].map(plainName)
  if (others.some(each => each !== plainName(model)))
    return { ok: false, why: 'ambiguous', hint: 'The body names another model than the path.' }
  const place = oneOf(places, config)
  if (place === 'twice') return twice(config)
  const settings = place ? readConfig(body, place) : {}
  if ('why' in settings) return settings
  return {
    model,
    stream: named?.stream ?? false,
    outputMax: settings.outputMax,
    n: settings.n ?? 1,
    hasTools: isFilled(body, places.get('tools')),
    // Every frame carries the usage, whoever asks.
    wantsUsage: true,
  }
}

const readConfig = (body: Buffer, place: Place): { outputMax?: number; n?: number } | Refusal => {
  if (body[place.start] === 0x6e) return {}
  const placed = placesOf(body, place.start, place.end, [...limit, ...answers])
  if (!placed.ok)
    return placed.why === 'unreadable' ? invalid(`'${config[0]}' must be an object.`) : placed
  const limitPlace = oneOf(placed.places, limit)
  const answersPlace = oneOf(placed.places, answers)
  if (limitPlace === 'twice') return twice(limit)
  if (answersPlace === 'twice') return twice(answers)
  const outputMax = wholeNumber(body, limitPlace, 0, tokensMax)
  if (outputMax === 'wrong') return invalid(`'${limit[0]}' must be a whole number from 0 to 2^31.`)
  const n = wholeNumber(body, answersPlace, 1, answersMax)
  if (n === 'wrong')
    return invalid(`'${answers[0]}' must be a whole number from 1 to ${answersMax}.`)
  return { ...(outputMax === undefined ? {} : { outputMax }), ...(n === undefined ? {} : { n }) }
}

type Spellings = readonly [string, string, string]

const twice = ([name]: Spellings): Refusal => ({
  ok: false,
  why: 'ambiguous',
  hint: `'${name}' stands twice, or is written in another way.`,
})

const oneOf = (
  places: ReadonlyMap<string, Place>,
  [camel, snake, folded]: Spellings,
): Place | 'twice' | undefined => {
  if (places.has(folded) || (places.has(camel) && places.has(snake))) return 'twice'
  return places.get(camel) ?? places.get(snake)
}

/** `models/gemini-3-pro`, or the last word of a longer resource name. */
export const plainName = (name: string): string => name.slice(name.lastIndexOf('/') + 1)

/** A batch, and the request inside a count, name the model once more. */
const namesInside = (body: Buffer, places: ReadonlyMap<string, Place>): string[] =>
  innerModels(body, places).map(place => readName(body, place) ?? '')

/** Where those names stand. */
export const innerModels = (body: Buffer, places: ReadonlyMap<string, Place>): Place[] => {
  const found: Place[] = []
  for (const key of inner) {
    const place = places.get(key)
    if (!place) continue
    // The members of the one request, or of each in a list.
    const depth = body[place.start] === 0x5b ? 2 : 1
    const cursor = cursorOf(body, place.start, place.end)
    for (let token = step(cursor); token > done; token = step(cursor)) {
      if (cursor.depth !== depth || token !== text || cursor.keyStart < 0) continue
      if (isWord(body, cursor.keyStart, cursor.keyEnd, 'model'))
        found.push({ keyStart: cursor.keyStart, start: cursor.start, end: cursor.at })
    }
  }
  return found
}
