import { divide, type Exact, formatExact, multiply, readExact } from '../../lib/decimal.ts'
import { isJsonObject, type JsonObject } from './json-object.ts'

/** At multiplier 1 a call costs 0.002 USD, so 1 USD buys this many. */
const callsPerUsd = readExact(500)!
const one = readExact(1)!

/**
 * Converts New API's prices to ours: `/api/pricing` is a list of models, `/api/ratio_config` a map per ratio. Its model
 * ratio is our input multiplier, and its other ratios are relative to that. Returns undefined for any other list.
 */
export const readNewApi = (list: unknown): unknown[] | undefined => {
  if (Array.isArray(list) && list.some(each => isJsonObject(each) && 'model_name' in each))
    return list.map(each => (isJsonObject(each) ? toPrice(each) : each))
  if (!isJsonObject(list) || !(isJsonObject(list.model_ratio) || isJsonObject(list.model_price)))
    return undefined
  const names = new Set([...keysOf(list.model_ratio), ...keysOf(list.model_price)])
  return [...names].map(model_name => toPrice(collectEntry(list, model_name)))
}

const keysOf = (value: unknown) => (isJsonObject(value) ? Object.keys(value) : [])

const maps = [
  'model_ratio',
  'model_price',
  'completion_ratio',
  'cache_ratio',
  'create_cache_ratio',
  'image_ratio',
  'audio_ratio',
  'audio_completion_ratio',
]

const collectEntry = (list: JsonObject, model_name: string): JsonObject => {
  const entry: JsonObject = { model_name }
  for (const map of maps) {
    const values = list[map]
    if (isJsonObject(values) && Object.hasOwn(values, model_name)) entry[map] = values[model_name]
  }
  const isByCall = entry.model_price !== undefined
  return { ...entry, quota_type: isByCall ? 1 : 0 }
}

/** Values that are not numbers are passed on, so that the schema refuses them by name. */
const toPrice = (entry: JsonObject): JsonObject => {
  const model = entry.model_name
  if (entry.quota_type === 1) {
    const input = calculate(entry.model_price, price => multiply(price, callsPerUsd))
    return { model, type: 'times', input, output: input }
  }
  const input = exact(entry.model_ratio)
  const completion = exact(entry.completion_ratio) ?? one
  return {
    model,
    type: 'tokens',
    input: entry.model_ratio,
    output: input ? number(multiply(input, completion)) : entry.model_ratio,
    extra_ratios: toExtraRatios(entry, completion),
  }
}

const toExtraRatios = (entry: JsonObject, completion: Exact): JsonObject => {
  const ratios: JsonObject = {}
  const put = (key: string, ratio: Exact | undefined) => {
    if (ratio) ratios[key] = number(ratio)
  }
  put('cached_read_tokens', exact(entry.cache_ratio))
  put('cached_write_tokens', exact(entry.create_cache_ratio))
  put('input_image_tokens', exact(entry.image_ratio))
  const audio = exact(entry.audio_ratio)
  put('input_audio_tokens', audio)
  // New API's audio output ratio is relative to its audio input, ours to the text output.
  const audioCompletion = exact(entry.audio_completion_ratio)
  if (audio && audioCompletion && completion.digits > 0n)
    put('output_audio_tokens', divide(multiply(audio, audioCompletion), completion, 12))
  return ratios
}

const exact = (value: unknown): Exact | undefined =>
  typeof value === 'number' ? readExact(value) : undefined

const calculate = (value: unknown, work: (value: Exact) => Exact): unknown => {
  const read = exact(value)
  return read ? number(work(read)) : value
}

const number = (value: Exact): number => Number(formatExact(value))
