import { type Frame, parse } from './frames.ts'
import {
  any,
  count,
  fields,
  flag,
  many,
  number,
  object,
  one,
  type Rule,
  text,
  words,
} from './shape.ts'
import type { Wire } from './wire.ts'

// https://ai.google.dev/api/generate-content#v1beta.GenerateContentResponse

const modality = fields({ modality: words, tokenCount: count })
const details = many(modality)

const usage = fields({
  'promptTokenCount?': count,
  'candidatesTokenCount?': count,
  'thoughtsTokenCount?': count,
  'cachedContentTokenCount?': count,
  'toolUsePromptTokenCount?': count,
  'totalTokenCount?': count,
  'promptTokensDetails?': details,
  'candidatesTokensDetails?': details,
  'cacheTokensDetails?': details,
  'serviceTier?': words,
})

/** A part has exactly one of these, next to its metadata. */
const contents = {
  text,
  inlineData: fields({ mimeType: words, data: words, 'displayName?': words }),
  fileData: fields({ 'mimeType?': words, fileUri: words }),
  functionCall: fields({ 'id?': words, name: words, 'args?': object }),
  executableCode: object,
  codeExecutionResult: object,
}

const part: Rule = (value, at) => {
  const { thought, thoughtSignature, ...rest } = (value ?? {}) as Record<string, unknown>
  const marks = fields({ 'thought?': flag, 'thoughtSignature?': words })(
    { thought, thoughtSignature },
    at,
  )
  const [name = '', ...others] = Object.keys(rest)
  const rule = contents[name as keyof typeof contents]
  if (!rule || others.length > 0) return [...marks, `${at} says ${Object.keys(rest).join(', ')}`]
  return [...marks, ...rule(rest[name], `${at}.${name}`)]
}

const finishes = [
  ...['STOP', 'MAX_TOKENS', 'SAFETY', 'RECITATION', 'LANGUAGE', 'OTHER', 'BLOCKLIST'],
  ...['PROHIBITED_CONTENT', 'SPII', 'MALFORMED_FUNCTION_CALL', 'IMAGE_SAFETY'],
  ...['UNEXPECTED_TOOL_CALL', 'TOO_MANY_TOOL_CALLS', 'NO_IMAGE', 'IMAGE_PROHIBITED_CONTENT'],
] as const

const candidate = fields({
  'content?': fields({ role: one('model'), 'parts?': many(part) }),
  'finishReason?': one(...finishes),
  'finishMessage?': words,
  'index?': count,
  'safetyRatings?': many(object),
  'citationMetadata?': object,
  'groundingMetadata?': object,
  'urlContextMetadata?': object,
  'avgLogprobs?': number,
  'logprobsResult?': object,
  'tokenCount?': count,
})

const answer = fields({
  'candidates?': many(candidate, 1),
  'promptFeedback?': object,
  'usageMetadata?': usage,
  modelVersion: words,
  responseId: words,
  'createTime?': any,
})

const error = fields({
  error: fields({ code: count, message: words, status: words, 'details?': many(object) }),
})

type Chunk = {
  error?: unknown
  responseId: string
  candidates?: { index?: number; finishReason?: string }[]
  usageMetadata?: Record<string, number>
}

/** https://ai.google.dev/api/generate-content#UsageMetadata: the total is of prompt, answer and thoughts. */
const adds = (usage: Chunk['usageMetadata']): string[] => {
  if (!usage) return []
  const countOf = (name: string) => usage[name] ?? 0
  const sum =
    countOf('promptTokenCount') +
    countOf('candidatesTokenCount') +
    countOf('thoughtsTokenCount') +
    countOf('toolUsePromptTokenCount')
  return sum === countOf('totalTokenCount') ? [] : ['usage does not add up']
}

const whole = (body: unknown): string[] => {
  const problems = answer(body, 'answer')
  if (problems.length > 0) return problems
  const { candidates = [], usageMetadata } = body as Chunk
  const open = candidates.filter(each => !each.finishReason)
  const isNumbered = candidates.every((each, at) => (each.index ?? 0) === at)
  return [
    ...adds(usageMetadata),
    ...(isNumbered ? [] : ['the candidates are not numbered']),
    ...open.map(() => 'a candidate has no finishReason'),
  ]
}

const stream = (frames: readonly Frame[]): string[] => {
  const chunks = frames.map(each => parse(each.data)) as Chunk[]
  const isFailed = chunks.at(-1)?.error !== undefined
  const successful = isFailed ? chunks.slice(0, -1) : chunks
  const shape = [
    ...frames.filter(each => each.event).map(each => `a named event: ${each.event}`),
    ...successful.flatMap((each, at) => answer(each, `chunk ${at}`)),
    ...(isFailed ? error(chunks.at(-1), 'error') : []),
  ]
  if (shape.length > 0 || isFailed) return shape
  const ids = new Set(successful.map(each => each.responseId))
  return [
    ...(ids.size > 1 ? ['the chunks are not of one answer'] : []),
    ...adds(successful.at(-1)?.usageMetadata),
    ...endsOf(successful),
  ]
}

/** Each candidate ends once, and has no content afterwards. */
const endsOf = (chunks: readonly Chunk[]): string[] => {
  const candidates = chunks.flatMap(each => each.candidates ?? [])
  const indexes = new Set(candidates.map(each => each.index ?? 0))
  if (!indexes.has(0)) return ['there is no first candidate']
  return [...indexes].flatMap(index => {
    const own = candidates.filter(each => (each.index ?? 0) === index)
    const isEnded = own.findIndex(each => each.finishReason) === own.length - 1
    return isEnded ? [] : [`candidate ${index} does not end once`]
  })
}

export const gemini: Wire = { whole, stream, error }
