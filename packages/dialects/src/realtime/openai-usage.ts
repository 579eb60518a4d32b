import { splitCount, tokenCountOf } from '../decode-values.ts'
import { isJsonObject, type JsonObject } from '../json/json.ts'
import { noUsage, type Usage, uncachedOf } from '../usage.ts'
import { base64PerSecond } from './format.ts'

// https://developers.openai.com/api/reference/resources/realtime, `response.usage` of `response.done`

/**
 * The vendor counts cached tokens in the tokens of their modality and in the sum. This subtracts them, so that the
 * classes are disjoint and add up to the vendor's totals. Returns `broken` if a value is no token count.
 */
export const decodeRealtimeUsage = (value: unknown): Usage | 'broken' => {
  if (!isJsonObject(value)) return 'broken'
  const details = objectIn(value.input_token_details)
  const cached = objectIn(details.cached_tokens_details)
  const output = objectIn(value.output_token_details)
  const count = (each: unknown): number => tokenCountOf(each) ?? 0
  const prompt = tokenCountOf(value.input_tokens)
  const completion = tokenCountOf(value.output_tokens)
  if (prompt === undefined || completion === undefined) return 'broken'
  const cachedAudio = count(cached.audio_tokens)
  const cachedImage = count(cached.image_tokens)
  const cachedText = count(details.cached_tokens) - cachedAudio - cachedImage
  const audio = count(details.audio_tokens) - cachedAudio
  const image = count(details.image_tokens) - cachedImage
  const audioOutput = count(output.audio_tokens)
  const reasoning = count(output.reasoning_tokens)
  const counts = [prompt, completion, cachedText, audio, image, audioOutput, reasoning]
  if (counts.some(Number.isNaN)) return 'broken'
  const parts = [cachedAudio, cachedImage, cachedText, audio, image]
  const input = splitCount(
    prompt,
    parts.map(each => Math.max(0, each)),
  )
  const made = splitCount(completion, [audioOutput, reasoning])
  return {
    ...noUsage(),
    input: input.remainder,
    cacheReadAudio: input.parts[0]!,
    cacheReadImage: input.parts[1]!,
    cacheRead: input.parts[2]!,
    audioInput: input.parts[3]!,
    imageInput: input.parts[4]!,
    output: made.remainder,
    audioOutput: made.parts[0]!,
    reasoning: made.parts[1]!,
    ...uncachedOf([details.cached_tokens]),
  }
}

/** A second of audio has 10 tokens as input: https://developers.openai.com/api/docs/guides/realtime-costs */
const inputTokensPerSecond = 10
/** A second of audio has 20 tokens as output. */
const outputTokensPerSecond = 20
const samplesPerSecond = 24_000

export const audioInputTokens = (base64Length: number): number =>
  (base64Length / base64PerSecond(samplesPerSecond)) * inputTokensPerSecond
export const audioOutputTokens = (base64Length: number): number =>
  Math.ceil((base64Length / base64PerSecond(samplesPerSecond)) * outputTokensPerSecond)

/** As for uploads (`docs/limits.md`), so that a model has one price by the second. */
const transcribedTokensPerMinute = 200

/** Usage of a transcription: tokens, or seconds of audio, which are counted as tokens. */
export const decodeTranscriptionUsage = (
  value: unknown,
): { usage: Usage; isEstimated: boolean } => {
  const fields = objectIn(value)
  const seconds = Number(fields.seconds)
  if (fields.type === 'duration' && seconds >= 0) {
    const audioInput = Math.ceil((seconds * transcribedTokensPerMinute) / 60)
    return { usage: { ...noUsage(), audioInput }, isEstimated: true }
  }
  const usage = decodeRealtimeUsage(value)
  return usage === 'broken'
    ? { usage: noUsage(), isEstimated: true }
    : { usage, isEstimated: false }
}

const objectIn = (value: unknown): JsonObject => (isJsonObject(value) ? value : {})
