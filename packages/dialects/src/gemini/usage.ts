import { countOf, share } from '../counts.ts'
import { noUsage, type Usage } from '../usage.ts'

type Json = Record<string, unknown>

/**
 * This dialect counts cached tokens inside the prompt, and thoughts and tool results outside what they belong to;
 * modalities are details. Here the classes are disjoint and sum to the upstream's total. `broken` where a figure is no
 * count. https://ai.google.dev/api/generate-content#UsageMetadata
 */
export const decodeUsage = (value: unknown): Usage | 'broken' => {
  if (!isObject(value)) return 'broken'
  const prompt = countOf(value.promptTokenCount)
  const candidates = countOf(value.candidatesTokenCount ?? value.responseTokenCount)
  const toolPrompt = countOf(value.toolUsePromptTokenCount) ?? 0
  const cached = countOf(value.cachedContentTokenCount) ?? 0
  const thoughts = countOf(value.thoughtsTokenCount) ?? 0
  const total = countOf(value.totalTokenCount)
  if (prompt === undefined && candidates === undefined && total === undefined) return 'broken'
  const read = ['AUDIO', 'IMAGE'].map(
    each => modality(value.promptTokensDetails, each) - modality(value.cacheTokensDetails, each),
  )
  const made = ['AUDIO', 'IMAGE'].map(each =>
    modality(value.candidatesTokensDetails ?? value.responseTokensDetails, each),
  )
  const all = [prompt, candidates, total, toolPrompt, cached, thoughts, ...read, ...made]
  if (all.some(Number.isNaN)) return 'broken'

  const input = share(prompt ?? 0, [cached, ...read.map(each => Math.max(0, each))])
  const output = share(candidates ?? 0, made)
  // Thoughts that are counted in the total only.
  const known = (prompt ?? 0) + (candidates ?? 0) + toolPrompt + thoughts
  const beside = Math.max(0, (total ?? 0) - known)
  return {
    ...noUsage(),
    input: input.rest + toolPrompt,
    cacheRead: input.parts[0]!,
    audioInput: input.parts[1]!,
    imageInput: input.parts[2]!,
    output: output.rest,
    audioOutput: output.parts[0]!,
    imageOutput: output.parts[1]!,
    reasoning: thoughts + beside,
  }
}

/** The other way: what a caller of this dialect is told. */
export const encodeUsage = (usage: Usage) => {
  const fresh = usage.input + usage.cacheWrite5m + usage.cacheWrite1h
  const prompt = fresh + usage.cacheRead + usage.audioInput + usage.imageInput
  const candidates = usage.output + usage.audioOutput + usage.imageOutput
  return {
    promptTokenCount: prompt,
    candidatesTokenCount: candidates,
    totalTokenCount: prompt + candidates + usage.reasoning,
    ...(usage.cacheRead > 0 ? { cachedContentTokenCount: usage.cacheRead } : {}),
    ...(usage.reasoning > 0 ? { thoughtsTokenCount: usage.reasoning } : {}),
    ...details('promptTokensDetails', fresh + usage.cacheRead, usage.audioInput, usage.imageInput),
    ...details('candidatesTokensDetails', usage.output, usage.audioOutput, usage.imageOutput),
  }
}

/** Told only where there is more than text to tell. */
const details = (key: string, text: number, audio: number, image: number): Json => {
  if (audio === 0 && image === 0) return {}
  const all = [
    { modality: 'TEXT', tokenCount: text },
    { modality: 'AUDIO', tokenCount: audio },
    { modality: 'IMAGE', tokenCount: image },
  ]
  return { [key]: all.filter(each => each.tokenCount > 0) }
}

const modality = (value: unknown, name: string): number => {
  if (!Array.isArray(value)) return 0
  let sum = 0
  for (const each of value)
    if (isObject(each) && each.modality === name) sum += countOf(each.tokenCount) ?? 0
  return sum
}

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
