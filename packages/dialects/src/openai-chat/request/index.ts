import type { ChatRequest } from '../../canon.ts'
import type { Encoded, EncodeRequestOptions, RequestResult } from '../../dialect.ts'
import type { Json } from '../../json/json.ts'
import { ownFields, unknownFieldsOf } from '../../unknown-fields.ts'
import { type WarningCollector, warningCollector } from '../../warnings.ts'
import {
  decodeFormat,
  decodeFunction,
  decodeTool,
  decodeToolChoice,
  encodeFormat,
  encodeTool,
  encodeToolChoice,
} from '../tools.ts'
import { decodeMessage, encodeMessages } from './messages.ts'
import { decodeEffort, effortKeys, encodeEffort } from './reasoning-effort.ts'

const dialectId = 'openai-chat'

/** Fields with the same meaning in canon, by both names. */
const same = [
  ['temperature', 'temperature', 'number'],
  ['top_p', 'topP', 'number'],
  ['seed', 'seed', 'number'],
  ['n', 'n', 'number'],
  ['presence_penalty', 'presencePenalty', 'number'],
  ['frequency_penalty', 'frequencyPenalty', 'number'],
  ['parallel_tool_calls', 'parallelTools', 'boolean'],
  ['stream', 'stream', 'boolean'],
  ['store', 'store', 'boolean'],
  ['verbosity', 'verbosity', 'string'],
  ['safety_identifier', 'safetyId', 'string'],
  ['prompt_cache_key', 'cacheKey', 'string'],
  ['prompt_cache_retention', 'cacheRetention', 'string'],
  ['prompt_cache_options', 'cacheOptions', 'object'],
  ['modalities', 'modalities', 'object'],
  ['audio', 'audio', 'object'],
  ['metadata', 'metadata', 'object'],
] as const

const known = new Set<string>([
  ...same.map(([name]) => name),
  ...['model', 'messages', 'tools', 'functions', 'tool_choice', 'function_call', 'stop'],
  ...['max_tokens', 'max_completion_tokens', 'logprobs', 'top_logprobs', 'response_format'],
  ...['stream_options', 'reasoning_effort', 'user', 'service_tier', ...effortKeys],
])

// https://platform.openai.com/docs/api-reference/chat/create
export const decodeRequest = (input: unknown): RequestResult => {
  const body: Json = input
  if (typeof body?.model !== 'string') return invalid("'model' must be the name of a model.")
  if (!Array.isArray(body.messages) || !body.messages.every(isMessage))
    return invalid("'messages' must be a list of messages.")
  const request: ChatRequest = {
    model: body.model,
    messages: body.messages.map(decodeMessage),
  }
  const requestFields: Json = request
  for (const [name, field, type] of same) {
    const value = body[name]
    if (value !== null && typeof value === type) requestFields[field] = value
  }
  if (typeof body.user === 'string') request.user = body.user
  if (typeof body.service_tier === 'string') request.tier = body.service_tier
  // The vendor lacks the field, but many others accept it: it stays in the unknown fields too.
  if (typeof body.top_k === 'number') request.topK = body.top_k
  decodeLimits(body, request)
  decodeTools(body, request)
  const reasoning = decodeEffort(body)
  if (reasoning) request.reasoning = reasoning
  decodeExtra(body, request)
  return { ok: true, request }
}

const invalid = (hint: string) => ({ ok: false, reason: 'invalid', hint }) as const

const isText = (each: unknown): boolean => typeof each === 'string'

const isMessage = (message: Json): boolean =>
  typeof message === 'object' && message !== null && typeof message.role === 'string'

const decodeLimits = (body: Json, request: ChatRequest): void => {
  const limit = body.max_completion_tokens ?? body.max_tokens
  if (typeof limit === 'number') request.outputMax = limit
  if (typeof body.stop === 'string') request.stop = [body.stop]
  else if (Array.isArray(body.stop)) request.stop = body.stop.filter(isText)
  if (body.logprobs === true || typeof body.top_logprobs === 'number')
    request.logprobs = typeof body.top_logprobs === 'number' ? { top: body.top_logprobs } : {}
}

const decodeTools = (body: Json, request: ChatRequest): void => {
  if (Array.isArray(body.tools)) request.tools = body.tools.map(decodeTool)
  else if (Array.isArray(body.functions)) request.tools = body.functions.map(decodeFunction)
  const choice = body.tool_choice ?? body.function_call
  if (choice !== undefined && choice !== null)
    request.toolChoice = decodeToolChoice(
      typeof choice.name === 'string' ? { type: 'function', function: choice } : choice,
    )
}

const decodeExtra = (body: Json, request: ChatRequest): void => {
  const format = decodeFormat(body.response_format)
  if (format) request.format = format
  let unknownFields = unknownFieldsOf(body, known, dialectId)
  const keep = (name: string, value: unknown): void => {
    unknownFields ??= { dialect: dialectId, fields: {} }
    unknownFields.fields[name] = value
  }
  if (!format && body.response_format) keep('response_format', body.response_format)
  // Only this dialect can have two limits.
  if (typeof body.max_tokens === 'number' && typeof body.max_completion_tokens === 'number')
    keep('max_tokens', body.max_tokens)
  // The gateway requests usage itself; the other options are the caller's.
  const { include_usage, ...options } = body.stream_options ?? {}
  for (const _ in options) {
    keep('stream_options', options)
    break
  }
  if (unknownFields) request.unknownFields = unknownFields
}

/** Models that accept only the newer name of the limit. */
const isNewer = /(^|\/)(o\d|gpt-[5-9]|gpt-\d\d)/

export const limitField = (model: string): 'max_completion_tokens' | 'max_tokens' =>
  isNewer.test(model) ? 'max_completion_tokens' : 'max_tokens'

export const encodeRequest = (request: ChatRequest, aim: EncodeRequestOptions = {}): Encoded => {
  const warnings = warningCollector(dialectId)
  const { model, messages, outputMax, stop, logprobs, format, reasoning, unknownFields } = request
  const body: Json = { model, messages: [] }
  for (const message of messages) body.messages.push(...encodeMessages(message, warnings))
  const requestFields: Json = request
  for (const [name, field] of same)
    if (requestFields[field] !== undefined) body[name] = requestFields[field]
  if (outputMax !== undefined) body[limitField(model)] = outputMax
  if (stop) body.stop = stop
  if (logprobs) body.logprobs = true
  if (logprobs?.top !== undefined) body.top_logprobs = logprobs.top
  if (format) body.response_format = encodeFormat(format, warnings)
  if (reasoning) encodeEffort(reasoning, body, warnings)
  encodeTools(request, body, warnings)
  encodeRest(request, body, warnings)
  if (aim.keepUnknownFields && unknownFields)
    Object.assign(body, { ...unknownFields.fields, ...body })
  else warnings.warnForeignFields(unknownFields)
  const fields = ownFields(unknownFields, dialectId)
  if (fields) {
    if (fields.max_tokens !== undefined && outputMax !== undefined)
      body.max_completion_tokens = outputMax
    Object.assign(body, fields)
  }
  if (request.stream) body.stream_options = { include_usage: true, ...body.stream_options }
  return { body, warnings: warnings.list }
}

const encodeRest = (request: ChatRequest, body: Json, warnings: WarningCollector): void => {
  const { user, tier, topK, cache, unknownFields } = request
  if (user !== undefined) body.user = user
  if (tier !== undefined) body.service_tier = tier === 'standard_only' ? 'default' : tier
  if (topK !== undefined && ownFields(unknownFields, dialectId)?.top_k === undefined)
    warnings.warnDropped('top_k')
  if (cache) warnings.warnDropped('cache_control')
}

const encodeTools = (request: ChatRequest, body: Json, warnings: WarningCollector): void => {
  if (request.tools) {
    const tools = request.tools.map(tool => encodeTool(tool, warnings)).filter(Boolean)
    if (tools.length > 0) body.tools = tools
  }
  // Vendors refuse a tool choice, and `parallel_tool_calls`, without tools.
  if (!body.tools) {
    if (request.tools) delete body.parallel_tool_calls
    return
  }
  const choice = request.toolChoice && encodeToolChoice(request.toolChoice, warnings)
  if (choice !== undefined) body.tool_choice = choice
}
