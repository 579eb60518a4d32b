import type { ChatRequest, Message, Reasoning } from '../../canon.ts'
import type { Aim, Counting, Named, RequestResult, Written } from '../../dialect.ts'
import type { Json } from '../../json.ts'
import { type Noting, noting } from '../../notes.ts'
import { decodePart, extraOf, idsOf, isObject, own, ownFields } from '../parts.ts'
import { plainName } from '../passthrough/read.ts'
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

export const decodeRequest = (body: unknown, named?: Named): RequestResult => {
  if (!isObject(body)) return { ok: false, why: 'invalid', hint: 'A JSON object is expected.' }
  const { model, contents, systemInstruction, tools, toolConfig, generationConfig, ...more } =
    camelizedRequest(body)
  const { serviceTier, store, ...rest } = more
  const told = named?.model ?? (typeof model === 'string' ? plainName(model) : '')
  if (told === '') return { ok: false, why: 'invalid', hint: 'The path must name a model.' }
  const { functionCallingConfig, ...toolRest } = toolConfig ?? {}
  const { stream: streamArguments, ...calling } = splitCalling(functionCallingConfig)
  const choice = decodeToolChoice(calling)
  const system = systemOf(systemInstruction)
  const { known, rest: configRest } = decodeConfig(generationConfig ?? {})
  return {
    ok: true,
    request: set({
      model: told,
      messages: [...(system ? [system] : []), ...decodeContents(listOf(contents))],
      stream: named?.stream,
      tools: isSet(tools) ? decodeTools(listOf(tools)) : undefined,
      toolChoice: choice,
      ...known,
      tier: decodeTier(serviceTier),
      store: typeof store === 'boolean' ? store : undefined,
      ...extraOf(
        set({
          toolConfig: filled({ ...toolRest, ...streamArguments }),
          generationConfig: filled(configRest),
          ...rest,
        }),
      ),
    }) as ChatRequest,
  }
}

/** How the arguments of calls are streamed is no choice of a tool. */
const splitCalling = (config: Json): Json => {
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
  const told = typeof instruction === 'string' ? { parts: [{ text: instruction }] } : instruction
  const ids = idsOf('call_')
  return { role: 'system', parts: listOf(told.parts).map(part => decodePart(part, ids)) }
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
  const { audio, rest: more } = decodeSpeech(others)
  const format = decodeFormat(more)
  const { responseMimeType, responseSchema, responseJsonSchema, ...without } = more
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
  return { known, rest: format ? without : more }
}

const decodeThinking = (config: Json): Reasoning => {
  const { thinkingBudget, thinkingLevel, includeThoughts, ...rest } = config
  return {
    ...(typeof thinkingLevel === 'string' ? { effort: thinkingLevel.toLowerCase() } : {}),
    ...(typeof thinkingBudget === 'number' ? { budget: thinkingBudget } : {}),
    ...(typeof includeThoughts === 'boolean' ? { summary: includeThoughts ? 'auto' : 'none' } : {}),
    ...extraOf(rest),
  }
}

export const encodeRequest = (request: ChatRequest, aim?: Aim): Written => {
  const notes = noting(own)
  const { toolConfig, generationConfig, ...rest } = ownFields(request.extra)
  if (aim?.keepsExtra && request.extra?.dialect !== own) Object.assign(rest, request.extra?.fields)
  else notes.dropForeign(request.extra)
  for (const [name, value] of unsayable(request)) if (value !== undefined) notes.drop(name)
  const { system, contents } = encodeMessages(request, notes)
  const calling = request.toolChoice && encodeToolChoice(request.toolChoice, notes)
  const functionCallingConfig = filled({ ...calling, ...toolConfig?.functionCallingConfig })
  const body = set({
    contents,
    systemInstruction: system.length > 0 ? { parts: system } : undefined,
    tools: request.tools && encodeTools(request.tools, notes),
    toolConfig: filled(set({ ...toolConfig, functionCallingConfig })),
    generationConfig: filled(set({ ...encodeConfig(request, notes), ...generationConfig })),
    serviceTier: encodeTier(request.tier, notes),
    store: request.store,
    ...rest,
  })
  return { body, notes: notes.notes }
}

/** What this dialect has no field for, by the names that callers know. */
const unsayable = (request: ChatRequest): [string, unknown][] => [
  ['parallel_tool_calls', request.parallelTools === false || undefined],
  ['verbosity', request.verbosity],
  ['metadata', request.metadata],
  ['user', request.user],
  ['safety_identifier', request.safetyId],
  ['prompt_cache_key', request.cacheKey],
  ['prompt_cache_retention', request.cacheRetention],
  ['cache_control', request.cache],
]

const encodeConfig = (request: ChatRequest, notes: Noting): Json => {
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
    ...(format ? encodeFormat(format, notes) : {}),
    thinkingConfig: reasoning && encodeThinking(reasoning, request.model, notes),
    responseModalities: modalities?.map(each => each.toUpperCase()),
    speechConfig: audio && encodeSpeech(audio, notes),
  }
}

/** Models before the third generation think by a budget, later ones by a level; never by both. */
const encodeThinking = (reasoning: Reasoning, model: string, notes: Noting): Json => {
  const { mode, budget, summary, extra } = reasoning
  notes.dropForeign(extra)
  const effort = reasoning.effort ?? (mode === 'disabled' ? 'none' : undefined)
  // Later models choose for themselves unless they are told otherwise.
  const isFree = mode === 'adaptive' && budget === undefined && byBudget.test(model)
  const isShown =
    summary === undefined ? mode !== undefined && mode !== 'disabled' : summary !== 'none'
  const isSaid = summary !== undefined || isShown
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
    ...(isSaid ? { includeThoughts: isShown } : {}),
    ...ownFields(extra),
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

/** Undefined where there is nothing in it. */
const filled = (value: Json): Json => (Object.keys(value).length > 0 ? value : undefined)

const set = (made: Json): Json =>
  Object.fromEntries(Object.entries(made).filter(([, value]) => value !== undefined))

/** The whole request that would be made stands in `generateContentRequest`, or its contents alone at the top. */
export const counting: Counting = {
  decodeRequest: (body, named) => {
    if (!isObject(body)) return decodeRequest(body, named)
    const { generateContentRequest: inner } = camelizedRequest(body)
    return decodeRequest(inner ?? body, named)
  },
  encodeRequest: request => {
    const { body, notes } = encodeRequest(request)
    const model = request.model.includes('/') ? request.model : `models/${request.model}`
    return { body: { generateContentRequest: { model, ...body } }, notes }
  },
  decodeReply: body => {
    const tokens = isObject(body) ? body.totalTokens : undefined
    return Number.isSafeInteger(tokens) && tokens >= 0 ? tokens : undefined
  },
  encodeReply: tokens => ({ totalTokens: tokens }),
}
