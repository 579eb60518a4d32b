import type { ChatRequest } from '../../canon.ts'
import type { Encoded, EncodeRequestOptions, RequestResult } from '../../dialect.ts'
import type { Json } from '../../json/json.ts'
import { ownFields, unknownFieldsOf } from '../../unknown-fields.ts'
import { type WarningCollector, warningCollector } from '../../warnings.ts'
import { decodeCache, encodeCache } from '../content-blocks.ts'
import { featuresOf } from '../models.ts'
import { decodeTool, decodeToolChoice, encodeTools } from '../tools.ts'
import { decodeMessages, encodeMessages } from './messages.ts'
import { decodeThinking, encodeThinking } from './thinking.ts'

const dialectId = 'anthropic'

const knownKeys = new Set([
  ...['model', 'messages', 'system', 'max_tokens', 'stream', 'stop_sequences', 'temperature'],
  ...['top_p', 'top_k', 'tools', 'tool_choice', 'thinking', 'output_config', 'metadata'],
  ...['service_tier', 'cache_control'],
])

// https://platform.claude.com/docs/en/api/messages/create
export const decodeRequest = (input: unknown): RequestResult => {
  const body: Json = input
  if (typeof body?.model !== 'string') return invalid("'model' must be the name of a model.")
  if (!Array.isArray(body.messages) || !body.messages.every(isMessage))
    return invalid("'messages' must be a list of messages.")
  const request: ChatRequest = { model: body.model, messages: decodeMessages(body) }
  if (typeof body.stream === 'boolean') request.stream = body.stream
  if (typeof body.max_tokens === 'number') request.outputMax = body.max_tokens
  if (typeof body.temperature === 'number') request.temperature = body.temperature
  if (typeof body.top_p === 'number') request.topP = body.top_p
  if (typeof body.top_k === 'number') request.topK = body.top_k
  if (Array.isArray(body.stop_sequences)) request.stop = body.stop_sequences.filter(isString)
  if (Array.isArray(body.tools)) request.tools = body.tools.map(decodeTool)
  decodeToolChoice(body.tool_choice, request)
  const reasoning = decodeThinking(body)
  if (reasoning) request.reasoning = reasoning
  if (typeof body.metadata?.user_id === 'string') request.user = body.metadata.user_id
  if (typeof body.service_tier === 'string') request.tier = body.service_tier
  const cache = decodeCache(body.cache_control)
  if (cache) request.cache = cache
  decodeOutput(body, request)
  return { ok: true, request }
}

const invalid = (hint: string) => ({ ok: false, reason: 'invalid', hint }) as const

const isString = (each: unknown): boolean => typeof each === 'string'

const isMessage = (message: Json): boolean =>
  typeof message === 'object' && message !== null && typeof message.role === 'string'

const decodeOutput = (body: Json, request: ChatRequest): void => {
  const { effort, format, ...config } = body.output_config ?? {}
  if (format?.type === 'json_schema') request.format = { type: 'schema', schema: format.schema }
  else if (format) config.format = format
  const { user_id, ...metadata } = body.metadata ?? {}
  const unknownFields = unknownFieldsOf(body, knownKeys, dialectId)
  const more: Record<string, unknown> = {}
  for (const _ in config) more.output_config = config
  for (const _ in metadata) more.metadata = metadata
  for (const _ in more) {
    request.unknownFields = { dialect: dialectId, fields: { ...unknownFields?.fields, ...more } }
    return
  }
  if (unknownFields) request.unknownFields = unknownFields
}

/** Output limit when neither the caller nor the operator sets one; the vendor requires the field. */
const outputMaxDefault = 8_192

/** The limit that a request without one is written with. */
export const defaultOutputMax = (
  model: string,
  limits: Readonly<Record<string, number>> = {},
): number => limits[model] ?? limits.default ?? outputMaxDefault

export const encodeRequest = (
  request: ChatRequest,
  options: EncodeRequestOptions = {},
): Encoded => {
  const warnings = warningCollector(dialectId)
  const { model, outputMax, stream, unknownFields, cache } = request
  const body: Json = {
    model,
    max_tokens: outputMax ?? defaultOutputMax(model, options.defaultOutputMax),
    ...encodeMessages(request.messages, warnings),
  }
  if (stream !== undefined) body.stream = stream
  encodeSampling(request, body, warnings)
  encodeTools(request, body, warnings)
  encodeThinking(request, options, body, warnings)
  encodeFormat(request, body, warnings)
  if (cache) body.cache_control = encodeCache(cache)
  encodeUserAndTier(request, body, warnings)
  // `store: false` is met without a field: this vendor stores no responses.
  for (const name of unsupportedFields)
    if (request[name] !== undefined && request[name] !== false) warnings.warnDropped(name)
  if ((request.n ?? 1) > 1) warnings.warnDropped('n')
  if (options.keepUnknownFields && unknownFields)
    Object.assign(body, { ...unknownFields.fields, ...body })
  else warnings.warnForeignFields(unknownFields)
  const { output_config, metadata, ...fields } = ownFields(unknownFields, dialectId) ?? {}
  if (output_config) body.output_config = { ...body.output_config, ...output_config }
  if (metadata) body.metadata = { ...body.metadata, ...metadata }
  return { body: Object.assign(body, fields), warnings: warnings.list }
}

/** Request fields that this dialect cannot express. */
const unsupportedFields = [
  ...([
    'seed',
    'presencePenalty',
    'frequencyPenalty',
    'logprobs',
    'verbosity',
    'modalities',
  ] as const),
  ...(['audio', 'metadata', 'store', 'cacheKey', 'cacheRetention', 'cacheOptions'] as const),
]

const encodeSampling = (request: ChatRequest, body: Json, warnings: WarningCollector): void => {
  const { model, temperature, topP, topK, stop } = request
  const { rejectsSampling, singleSampler } = featuresOf(model)
  const setOrDrop = (name: string, value: number | undefined, isTaken: boolean): void => {
    if (value !== undefined && isTaken) body[name] = value
    else if (value !== undefined) warnings.warnDropped(name)
  }
  // Other dialects allow temperatures up to 2.
  if (temperature !== undefined && temperature > 1) warnings.warnDropped('temperature above 1')
  setOrDrop(
    'temperature',
    temperature === undefined ? undefined : Math.min(1, temperature),
    !rejectsSampling,
  )
  setOrDrop('top_p', topP, !rejectsSampling && !(singleSampler && temperature !== undefined))
  setOrDrop('top_k', topK, !rejectsSampling)
  const sequences = stop?.filter(each => each.trim() !== '')
  if (sequences && sequences.length < stop!.length) warnings.warnDropped('stop of blanks')
  if (sequences && sequences.length > 0) body.stop_sequences = sequences
}

const encodeFormat = (request: ChatRequest, body: Json, warnings: WarningCollector): void => {
  const { format, model } = request
  if (format?.type === 'json') warnings.warnDropped('response_format json_object')
  if (format?.type !== 'schema') return
  const encodedFormat = { type: 'json_schema', schema: format.schema }
  if (featuresOf(model).schemas)
    body.output_config = { ...body.output_config, format: encodedFormat }
  else warnings.warnDropped('response_format json_schema')
}

const tiers: Readonly<Record<string, string>> = {
  auto: 'auto',
  standard_only: 'standard_only',
  default: 'standard_only',
  priority: 'auto',
}

const encodeUserAndTier = (
  { user, safetyId, tier }: ChatRequest,
  body: Json,
  warnings: WarningCollector,
): void => {
  const id = user ?? safetyId
  if (id !== undefined) body.metadata = { user_id: id }
  if (user !== undefined && safetyId !== undefined) warnings.warnDropped('safetyId')
  if (tier === undefined) return
  if (Object.hasOwn(tiers, tier)) body.service_tier = tiers[tier]
  else warnings.warnDropped('service_tier')
}
