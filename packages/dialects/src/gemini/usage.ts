import { splitCount, tokenCountOf } from '../decode-values.ts'
import type { JsonObject } from '../json/json.ts'
import { cachedTokens, noUsage, servedOf, type Usage, uncachedOf } from '../usage.ts'

/**
 * The prompt count includes cached tokens; thoughts and tool results are counted outside prompt and candidates. The
 * returned classes are disjoint and sum to the total. Returns `broken` if a figure is not a count.
 * https://ai.google.dev/api/generate-content#UsageMetadata
 */
export const decodeUsage = (value: unknown): Usage | 'broken' => {
  if (!isObject(value)) return 'broken'
  const prompt = tokenCountOf(value.promptTokenCount)
  const candidates = tokenCountOf(value.candidatesTokenCount ?? value.responseTokenCount)
  const toolPrompt = tokenCountOf(value.toolUsePromptTokenCount) ?? 0
  const cached = tokenCountOf(value.cachedContentTokenCount) ?? 0
  const thoughts = tokenCountOf(value.thoughtsTokenCount) ?? 0
  const total = tokenCountOf(value.totalTokenCount)
  if (prompt === undefined && candidates === undefined && total === undefined) return 'broken'
  const cachedMedia = modalities.map(each => modality(value.cacheTokensDetails, each))
  const read = modalities.map(
    (each, index) => modality(value.promptTokensDetails, each) - cachedMedia[index]!,
  )
  const made = modalities.map(each =>
    modality(value.candidatesTokensDetails ?? value.responseTokensDetails, each),
  )
  const counts = [prompt, candidates, total, toolPrompt, cached, thoughts]
  const all = [...counts, ...cachedMedia, ...read, ...made]
  if (all.some(Number.isNaN)) return 'broken'

  const media = splitCount(cached, cachedMedia)
  const parts = [...media.parts, media.remainder, ...read.map(each => Math.max(0, each))]
  const input = splitCount(prompt ?? 0, parts)
  const output = splitCount(candidates ?? 0, made)
  // Some models count thoughts in the total only, and some the output, which then has no count of its own.
  const known = (prompt ?? 0) + (candidates ?? 0) + toolPrompt + thoughts
  const isUncounted = !candidates && prompt !== undefined
  const beside = Math.max(0, (total ?? 0) - known)
  // Vertex names the traffic instead of the tier.
  const cachedAbovePrompt = cached - (prompt ?? 0)
  const served = servedOf({ tier: value.serviceTier ?? value.trafficType })
  return {
    ...noUsage(),
    input: input.remainder + toolPrompt,
    cacheReadAudio: input.parts[0]!,
    cacheReadImage: input.parts[1]!,
    cacheRead: input.parts[2]!,
    audioInput: input.parts[3]!,
    imageInput: input.parts[4]!,
    output: output.remainder + (isUncounted ? beside : 0),
    audioOutput: output.parts[0]!,
    imageOutput: output.parts[1]!,
    reasoning: thoughts + (isUncounted ? 0 : beside),
    ...(cachedAbovePrompt > 0 && { cachedAbovePrompt }),
    ...(served && { served }),
    ...uncachedOf([value.cachedContentTokenCount]),
  }
}

export const encodeUsage = (usage: Usage) => {
  const fresh = usage.input + usage.cacheWrite5m + usage.cacheWrite1h
  const cached = cachedTokens(usage)
  const audio = usage.audioInput + usage.cacheReadAudio
  const image = usage.imageInput + usage.cacheReadImage
  const prompt = fresh + usage.cacheRead + audio + image
  const candidates = usage.output + usage.audioOutput + usage.imageOutput
  return {
    promptTokenCount: prompt,
    candidatesTokenCount: candidates,
    totalTokenCount: prompt + candidates + usage.reasoning,
    ...(cached > 0 ? { cachedContentTokenCount: cached } : {}),
    ...(usage.reasoning > 0 ? { thoughtsTokenCount: usage.reasoning } : {}),
    ...details('promptTokensDetails', fresh + usage.cacheRead, audio, image),
    ...details('cacheTokensDetails', usage.cacheRead, usage.cacheReadAudio, usage.cacheReadImage),
    ...details('candidatesTokensDetails', usage.output, usage.audioOutput, usage.imageOutput),
  }
}

/** Modality details are omitted for text-only usage. */
const details = (key: string, text: number, audio: number, image: number): JsonObject => {
  if (audio === 0 && image === 0) return {}
  const all = [
    { modality: 'TEXT', tokenCount: text },
    { modality: 'AUDIO', tokenCount: audio },
    { modality: 'IMAGE', tokenCount: image },
  ]
  return { [key]: all.filter(each => each.tokenCount > 0) }
}

/** Video is priced as images: https://ai.google.dev/gemini-api/docs/pricing */
const modalities = [['AUDIO'], ['IMAGE', 'VIDEO']]

const modality = (value: unknown, names: readonly string[]): number => {
  if (!Array.isArray(value)) return 0
  let sum = 0
  for (const each of value)
    if (isObject(each) && names.includes(String(each.modality)))
      sum += tokenCountOf(each.tokenCount) ?? 0
  return sum
}

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * The searches that an answer is charged for. Models before Gemini 3 sell a grounded prompt, whatever it looked up, and
 * later ones each query: https://ai.google.dev/gemini-api/docs/pricing.
 */
export const soldSearches = (model: string, queries: number): number =>
  /^gemini-[12]\b/.test(model) ? Math.min(1, queries) : queries
