import { tokenCountOf } from '../decode-values.ts'
import { isJsonObject, type JsonObject } from '../json/json.ts'
import { cachedTokens, inputTokens, noUsage, outputTokens, servedOf, type Usage } from '../usage.ts'

/**
 * The dialect includes cached, audio and reasoning tokens in its sums. This subtracts them, so that the classes are
 * disjoint and add up to the upstream's totals. Returns `broken` if a value is no token count.
 */
export const decodeUsage = (value: unknown): Usage | 'broken' => {
  if (!isJsonObject(value)) return 'broken'
  const inDetails = detailsOf(value.prompt_tokens_details)
  const outDetails = detailsOf(value.completion_tokens_details)
  const prompt = tokenCountOf(value.prompt_tokens)
  const completion = tokenCountOf(value.completion_tokens)
  const total = tokenCountOf(value.total_tokens)
  const cached =
    tokenCountOf(inDetails.cached_tokens) ??
    tokenCountOf(value.prompt_cache_hit_tokens) ??
    tokenCountOf(value.cached_tokens) ??
    0
  const written =
    tokenCountOf(inDetails.cache_write_tokens) ??
    tokenCountOf(inDetails.cache_creation_input_tokens) ??
    0
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
  const usage = noUsage()
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
