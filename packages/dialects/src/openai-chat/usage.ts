import { tokenCountOf } from '../decode-values.ts'
import { isJsonObject, type JsonObject } from '../json/json.ts'
import {
  cachedTokens,
  costOfUsage,
  inputTokens,
  noUsage,
  outputTokens,
  servedOf,
  type Usage,
  uncachedOf,
} from '../usage.ts'

/**
 * The dialect includes cached, audio and reasoning tokens in its sums. This subtracts them, so that the classes are
 * disjoint and add up to the upstream's totals. Returns `broken` if a value is no token count.
 */
export const decodeUsage = (value: unknown): Usage | 'broken' => {
  if (!isJsonObject(value)) return 'broken'
  return decodeCounts(inOwnNames(value))
}

const decodeCounts = (value: JsonObject): Usage | 'broken' => {
  const inDetails = detailsOf(value.prompt_tokens_details)
  const outDetails = detailsOf(value.completion_tokens_details)
  const prompt = tokenCountOf(value.prompt_tokens)
  const completion = tokenCountOf(value.completion_tokens)
  const total = tokenCountOf(value.total_tokens)
  const reads = [
    inDetails.cached_tokens,
    value.prompt_cache_hit_tokens,
    value.cached_tokens,
    value.cache_read_input_tokens,
  ]
  const writes = [
    inDetails.cache_write_tokens,
    inDetails.cache_creation_input_tokens,
    inDetails.cached_creation_tokens,
    value.cache_creation_input_tokens,
  ]
  const cached = firstCount(...reads)
  const written = firstCount(...writes)
  const audioIn = tokenCountOf(inDetails.audio_tokens) ?? 0
  const imageIn = tokenCountOf(inDetails.image_tokens) ?? 0
  const reasoning = tokenCountOf(outDetails.reasoning_tokens) ?? 0
  const audioOut = tokenCountOf(outDetails.audio_tokens) ?? 0
  const imageOut = tokenCountOf(outDetails.image_tokens) ?? 0
  if (prompt === undefined && completion === undefined) return 'broken'
  // One invalid count makes the sum NaN.
  const sums = (prompt ?? 0) + (completion ?? 0) + (total ?? 0)
  const details = cached + written + audioIn + imageIn + reasoning + audioOut + imageOut
  if (Number.isNaN(sums + details)) return 'broken'

  // Details may overlap (a cached image is both), so each takes at most what the earlier ones left.
  const usage: Usage = { ...noUsage(), ...uncachedOf(reads, writes), ...costOfUsage(value) }
  let rest = prompt ?? 0
  rest -= usage.cacheRead = Math.min(cached, rest)
  rest -= usage.cacheWrite5m = Math.min(written, rest)
  rest -= usage.audioInput = Math.min(audioIn, rest)
  rest -= usage.imageInput = Math.min(imageIn, rest)
  usage.input = rest
  if (cached > (prompt ?? 0)) usage.cachedAbovePrompt = cached - (prompt ?? 0)

  // Some vendors exclude reasoning from the completion and count it in the total only.
  const beside = Math.max(0, (total ?? 0) - (prompt ?? 0) - (completion ?? 0))
  rest = completion ?? 0
  rest -= usage.reasoning = Math.min(Math.max(0, reasoning - beside), rest)
  rest -= usage.audioOutput = Math.min(audioOut, rest)
  rest -= usage.imageOutput = Math.min(imageOut, rest)
  usage.output = rest
  usage.reasoning += beside
  return usage
}

/** The first count that is not 0, for vendors send 0 for a name that they do not use. NaN where one is not a count. */
const firstCount = (...values: readonly unknown[]): number => {
  const counts = values.map(each => tokenCountOf(each) ?? 0)
  return counts.some(Number.isNaN) ? Number.NaN : (counts.find(each => each > 0) ?? 0)
}

const isPositive = (value: unknown): boolean => typeof value === 'number' && value > 0

/**
 * Relays in front of Anthropic or of Responses leave the counts in the names of those dialects. Anthropic's input
 * excludes what a cache read or wrote, and only its names tell that.
 */
const inOwnNames = (value: JsonObject): JsonObject => {
  const { input_tokens, output_tokens } = value
  if (isPositive(value.prompt_tokens) || isPositive(value.completion_tokens)) return value
  if (!isPositive(input_tokens) && !isPositive(output_tokens)) return value
  const beside =
    firstCount(value.cache_read_input_tokens) + firstCount(value.cache_creation_input_tokens)
  return {
    ...value,
    prompt_tokens: firstCount(input_tokens) + beside,
    completion_tokens: output_tokens,
    prompt_tokens_details: value.input_tokens_details,
    completion_tokens_details: value.output_tokens_details,
  }
}

/** Encodes usage for a caller of this dialect. */
export const encodeUsage = (usage: Usage) => {
  const prompt = inputTokens(usage)
  const completion = outputTokens(usage)
  const image = usage.imageInput + usage.cacheReadImage
  const written = usage.cacheWrite5m + usage.cacheWrite1h
  return {
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: prompt + completion,
    prompt_tokens_details: {
      cached_tokens: cachedTokens(usage),
      audio_tokens: usage.audioInput + usage.cacheReadAudio,
      ...(written > 0 ? { cache_write_tokens: written } : {}),
      ...(image > 0 ? { image_tokens: image } : {}),
    },
    completion_tokens_details: {
      reasoning_tokens: usage.reasoning,
      audio_tokens: usage.audioOutput,
      ...(usage.imageOutput > 0 ? { image_tokens: usage.imageOutput } : {}),
    },
  }
}

const nothing: JsonObject = {}

const detailsOf = (value: unknown): JsonObject => (isJsonObject(value) ? value : nothing)

/** The tier stands next to the usage. */
export const withTier = (usage: Usage | 'broken', tier: unknown): Usage | 'broken' => {
  const served = servedOf({ tier })
  return usage === 'broken' || !served ? usage : { ...usage, served }
}
