import type { ChatRequest, Message, Reasoning } from '../../canon.ts'
import type { Encoded, EncodeRequestOptions, RequestResult, TokenCounting } from '../../dialect.ts'
import type { Json } from '../../json/json.ts'
import type { PathParams } from '../../parsed-request.ts'
import { type WarningCollector, warningCollector } from '../../warnings.ts'
import { asUnknownFields, callIds, decodePart, dialectId, isObject, ownFields } from '../parts.ts'
import { plainName } from '../passthrough/read-request.ts'
import { camelizedRequest } from '../schema.ts'
import { decodeTier, encodeTier } from '../service-tier.ts'
import { decodeSpeech, encodeSpeech } from '../speech.ts'
import {
  decodeFormat,
  decodeToolChoice,
  decodeTools,
  encodeFormat,
  encodeToolChoice,
  encodeTools,
} from '../tools.ts'
import { decodeContents, encodeMessages } from './messages.ts'

export const decodeRequest = (body: unknown, named?: PathParams): RequestResult => {
  if (!isObject(body)) return { ok: false, reason: 'invalid', hint: 'A JSON object is expected.' }
  const { model, contents, systemInstruction, tools, toolConfig, generationConfig, ...more } =
    camelizedRequest(body)
  const { serviceTier, store, ...rest } = more
  const name = named?.model ?? (typeof model === 'string' ? plainName(model) : '')
  if (name === '') return { ok: false, reason: 'invalid', hint: 'The path must name a model.' }
  const { functionCallingConfig, ...toolRest } = toolConfig ?? {}
  const { stream, ...calling } = splitCallingConfig(functionCallingConfig)
  const choice = decodeToolChoice(calling)
  const system = systemOf(systemInstruction)
  const { known, rest: configRest } = decodeConfig(generationConfig ?? {})
  return {
    ok: true,
    request: definedFields({
      model: name,
      messages: [...(system ? [system] : []), ...decodeContents(listOf(contents))],
      stream: named?.stream,
      tools: isSet(tools) ? decodeTools(listOf(tools)) : undefined,
      toolChoice: choice,
      ...known,
      tier: decodeTier(serviceTier),
      store: typeof store === 'boolean' ? store : undefined,
      ...asUnknownFields(
        definedFields({
          toolConfig: nonEmpty({ ...toolRest, ...stream }),
          generationConfig: nonEmpty(configRest),
          ...rest,
        }),
      ),
    }) as ChatRequest,
  }
}

/** Separates the streaming option of arguments from the tool choice. */
const splitCallingConfig = (config: Json): Json => {
  const { streamFunctionCallArguments, ...calling } = config ?? {}
  return {
    ...calling,
    stream:
      streamFunctionCallArguments === undefined
        ? {}
        : { functionCallingConfig: { streamFunctionCallArguments } },
  }
}

const systemOf = (instruction: Json): Message | undefined => {
  if (!isSet(instruction)) return undefined
  const name = typeof instruction === 'string' ? { parts: [{ text: instruction }] } : instruction
  const ids = callIds('call_')
  return { role: 'system', parts: listOf(name.parts).map(part => decodePart(part, ids)) }
}

const decodeConfig = (config: Json): { known: Json; rest: Json } => {
  const {
    maxOutputTokens,
    temperature,
    topP,
    topK,
    stopSequences,
    seed,
    candidateCount,
    presencePenalty,
    frequencyPenalty,
    responseLogprobs,
    logprobs,
    thinkingConfig,
    responseModalities,
    ...others
  } = config
  const { audio, rest } = decodeSpeech(others)
  const format = decodeFormat(rest)
  const { responseMimeType, responseSchema, responseJsonSchema, ...without } = rest
  const known = {
    outputMax: maxOutputTokens,
    temperature,
    topP,
    topK,
    stop: stopSequences,
    seed,
    n: candidateCount,
    presencePenalty,
    frequencyPenalty,
    logprobs: responseLogprobs ? (isSet(logprobs) ? { top: logprobs } : {}) : undefined,
    format,
    reasoning: isObject(thinkingConfig) ? decodeThinking(thinkingConfig) : undefined,
    modalities: Array.isArray(responseModalities)
      ? responseModalities.map(each => String(each).toLowerCase())
      : undefined,
    audio,
  }
  return { known, rest: format ? without : rest }
}

const decodeThinking = (config: Json): Reasoning => {
  const { thinkingBudget, thinkingLevel, includeThoughts, ...rest } = config
  return {
    ...(typeof thinkingLevel === 'string' ? { effort: thinkingLevel.toLowerCase() } : {}),
    ...(typeof thinkingBudget === 'number' ? { budget: thinkingBudget } : {}),
    ...(typeof includeThoughts === 'boolean' ? { summary: includeThoughts ? 'auto' : 'none' } : {}),
    ...asUnknownFields(rest),
  }
}

export const encodeRequest = (request: ChatRequest, options?: EncodeRequestOptions): Encoded => {
  const warnings = warningCollector(dialectId)
  const { toolConfig, generationConfig, ...rest } = ownFields(request.unknownFields)
  if (options?.keepUnknownFields && request.unknownFields?.dialect !== dialectId)
    Object.assign(rest, request.unknownFields?.fields)
  else warnings.warnForeignFields(request.unknownFields)
  for (const [name, value] of unsupportedFields(request))
    if (value !== undefined) warnings.warnDropped(name)
  const { system, contents } = encodeMessages(request, warnings)
  const calling = request.toolChoice && encodeToolChoice(request.toolChoice, warnings)
  const functionCallingConfig = nonEmpty({ ...calling, ...toolConfig?.functionCallingConfig })
  const body = definedFields({
    contents,
    systemInstruction: system.length > 0 ? { parts: system } : undefined,
    tools: request.tools && encodeTools(request.tools, warnings),
    toolConfig: nonEmpty(definedFields({ ...toolConfig, functionCallingConfig })),
    generationConfig: nonEmpty(
      definedFields({ ...encodeConfig(request, warnings), ...generationConfig }),
    ),
    serviceTier: encodeTier(request.tier, warnings),
    store: request.store,
    ...rest,
  })
  return { body, warnings: warnings.list }
}

/** Fields that this dialect cannot express, with the names used in warnings. */
const unsupportedFields = (request: ChatRequest): [string, unknown][] => [
  ['parallel_tool_calls', request.parallelTools === false || undefined],
  ['verbosity', request.verbosity],
  ['metadata', request.metadata],
  ['user', request.user],
  ['safety_identifier', request.safetyId],
  ['prompt_cache_key', request.cacheKey],
  ['prompt_cache_retention', request.cacheRetention],
  ['prompt_cache_options', request.cacheOptions],
  ['cache_control', request.cache],
]

const encodeConfig = (request: ChatRequest, warnings: WarningCollector): Json => {
  const { format, reasoning, logprobs, modalities, audio } = request
  return {
    maxOutputTokens: request.outputMax,
    temperature: request.temperature,
    topP: request.topP,
    topK: request.topK,
    stopSequences: request.stop,
    seed: request.seed,
    candidateCount: request.n,
    presencePenalty: request.presencePenalty,
    frequencyPenalty: request.frequencyPenalty,
    ...(logprobs ? { responseLogprobs: true, logprobs: logprobs.top } : {}),
    ...(format ? encodeFormat(format, warnings) : {}),
    thinkingConfig: reasoning && encodeThinking(reasoning, request.model, warnings),
    responseModalities: modalities?.map(each => each.toUpperCase()),
    speechConfig: audio && encodeSpeech(audio, warnings),
  }
}

/** Gemini 1 and 2 take a thinking budget, later models a thinking level; sending both is an error. */
export const encodeThinking = (
  reasoning: Reasoning,
  model: string,
  warnings: WarningCollector,
): Json => {
  const { mode, budget, summary, unknownFields } = reasoning
  warnings.warnForeignFields(unknownFields)
  const effort = reasoning.effort ?? (mode === 'disabled' ? 'none' : undefined)
  // Later models think adaptively without a setting; a budget of -1 says so to earlier ones.
  const isFree = mode === 'adaptive' && budget === undefined && byBudget.test(model)
  const isShown =
    summary === undefined ? mode !== undefined && mode !== 'disabled' : summary !== 'none'
  const hasThoughtOption = summary !== undefined || isShown
  return {
    ...(budget !== undefined
      ? { thinkingBudget: budget }
      : effort === undefined
        ? isFree
          ? { thinkingBudget: -1 }
          : {}
        : byBudget.test(model)
          ? { thinkingBudget: budgets[effort] ?? -1 }
          : { thinkingLevel: levels[effort] ?? effort.toUpperCase() }),
    ...(hasThoughtOption ? { includeThoughts: isShown } : {}),
    ...ownFields(unknownFields),
  }
}

const byBudget = /gemini-(1|2)\b|gemini-(flash|pro)-latest/
/** https://ai.google.dev/gemini-api/docs/openai */
const budgets: Readonly<Record<string, number>> = {
  none: 0,
  minimal: 1_024,
  low: 1_024,
  medium: 8_192,
  high: 24_576,
  xhigh: 24_576,
  max: 24_576,
}
const levels: Readonly<Record<string, string>> = {
  none: 'MINIMAL',
  xhigh: 'HIGH',
  max: 'HIGH',
}

export const listOf = (value: Json): Json[] =>
  Array.isArray(value) ? value : isSet(value) ? [value] : []

const isSet = (value: unknown): boolean => value !== undefined && value !== null

/** Returns undefined for an empty object. */
const nonEmpty = (value: Json): Json => (Object.keys(value).length > 0 ? value : undefined)

const definedFields = (made: Json): Json =>
  Object.fromEntries(Object.entries(made).filter(([, value]) => value !== undefined))

/** A count request has either a full `generateContentRequest` or only `contents`. */
export const counting: TokenCounting = {
  decodeRequest: (body, named) => {
    if (!isObject(body)) return decodeRequest(body, named)
    const { generateContentRequest } = camelizedRequest(body)
    return decodeRequest(generateContentRequest ?? body, named)
  },
  encodeRequest: request => {
    const { body, warnings } = encodeRequest(request)
    const model = request.model.includes('/') ? request.model : `models/${request.model}`
    return { body: { generateContentRequest: { model, ...body } }, warnings }
  },
  decodeAnswer: body => {
    const tokens = isObject(body) ? body.totalTokens : undefined
    return Number.isSafeInteger(tokens) && tokens >= 0 ? tokens : undefined
  },
  encodeResponse: tokens => ({ totalTokens: tokens }),
}
