import {
  type Decimal,
  divide,
  formatDecimal,
  multiply,
  parseDecimal,
} from '../../../lib/decimal.ts'
import { isJsonObject, type JsonObject } from './json-object.ts'

/** At multiplier 1 a call costs 0.002 USD, so 1 USD buys 500 calls. */
const callsPerUsd = parseDecimal(500)!
const one = parseDecimal(1)!

/**
 * Converts the prices of New API (https://github.com/QuantumNous/new-api) to ours: `/api/pricing` is a list of models,
 * `/api/ratio_config` a map per ratio. Its model ratio is our input multiplier. Its other ratios are relative to that,
 * except the audio output ratio. Returns undefined for any other list.
 */
export const convertNewApiPrices = (list: unknown): unknown[] | undefined => {
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

/** A ratio may be a number in text. Any other value is passed on, so that the schema refuses the entry and names it. */
const toPrice = (entry: JsonObject): JsonObject => {
  const model = entry.model_name
  // New API computes such a price by a formula, and its ratio stands there for nothing.
  if (typeof entry.billing_expr === 'string' && entry.billing_expr !== '')
    return { model, type: 'tokens', input: entry.billing_expr }
  if (entry.quota_type === 1) {
    const input = mapNumber(entry.model_price, price => multiply(price, callsPerUsd))
    return { model, type: 'times', input, output: input }
  }
  const input = toDecimal(entry.model_ratio)
  const completion = isAbsent(entry.completion_ratio) ? one : toDecimal(entry.completion_ratio)
  const hasBoth = input !== undefined && completion !== undefined
  return {
    model,
    type: 'tokens',
    input: input ? toNumber(input) : entry.model_ratio,
    output: hasBoth ? toNumber(multiply(input, completion)) : entry.completion_ratio,
    extra_ratios: toExtraRatios(entry, completion ?? one),
  }
}

const isAbsent = (value: unknown) => value === undefined || value === null

const toExtraRatios = (entry: JsonObject, completion: Decimal): JsonObject => {
  const ratios: JsonObject = {}
  const put = (key: string, value: unknown) => {
    if (!isAbsent(value)) ratios[key] = mapNumber(value, ratio => ratio)
  }
  put('cached_read_tokens', entry.cache_ratio)
  put('cached_write_tokens', entry.create_cache_ratio)
  put('input_image_tokens', entry.image_ratio)
  put('input_audio_tokens', entry.audio_ratio)
  // New API's audio output ratio is relative to its audio input, ours to the text output.
  const audio = toDecimal(entry.audio_ratio)
  if (audio && completion.digits > 0n && !isAbsent(entry.audio_completion_ratio))
    ratios.output_audio_tokens = mapNumber(entry.audio_completion_ratio, ratio =>
      divide(multiply(audio, ratio), completion, 12),
    )
  return ratios
}

const toDecimal = (value: unknown): Decimal | undefined =>
  typeof value === 'number' || typeof value === 'string' ? parseDecimal(value) : undefined

const mapNumber = (value: unknown, change: (value: Decimal) => Decimal): unknown => {
  const read = toDecimal(value)
  return read ? toNumber(change(read)) : value
}

const toNumber = (value: Decimal): number => Number(formatDecimal(value))
