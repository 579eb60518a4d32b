import type { ChatRequest } from '../../canon.ts'
import type { Aim, RequestResult, Written } from '../../dialect.ts'
import { ownFields, restOf } from '../../extra.ts'
import type { Json } from '../../json.ts'
import { type Noting, noting } from '../../notes.ts'
import { decodeCache, encodeCache } from '../content-blocks.ts'
import { abilityOf } from '../models.ts'
import { decodeTool, decodeToolChoice, encodeTools } from '../tools.ts'
import { decodeMessages, encodeMessages } from './messages.ts'
import { decodeThinking, encodeThinking } from './thinking.ts'

const own = 'anthropic'

const known = new Set([
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
  if (Array.isArray(body.stop_sequences)) request.stop = body.stop_sequences.filter(isText)
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

const invalid = (hint: string) => ({ ok: false, why: 'invalid', hint }) as const

const isText = (each: unknown): boolean => typeof each === 'string'

const isMessage = (message: Json): boolean =>
  typeof message === 'object' && message !== null && typeof message.role === 'string'

const decodeOutput = (body: Json, request: ChatRequest): void => {
  const { effort, format, ...config } = body.output_config ?? {}
  if (format?.type === 'json_schema') request.format = { type: 'schema', schema: format.schema }
  else if (format) config.format = format
  const { user_id, ...metadata } = body.metadata ?? {}
  const extra = restOf(body, known, own)
  const more: Record<string, unknown> = {}
  for (const _ in config) more.output_config = config
  for (const _ in metadata) more.metadata = metadata
  for (const _ in more) {
    request.extra = { dialect: own, fields: { ...extra?.fields, ...more } }
    return
  }
  if (extra) request.extra = extra
}

/** Where neither the caller nor the operator says how long an answer may be. */
const outputMaxDefault = 8_192

export const encodeRequest = (request: ChatRequest, aim: Aim = {}): Written => {
  const noted = noting(own)
  const { model, outputMax, stream, extra, cache } = request
  const limits = aim.outputMaxOf ?? {}
  const body: Json = {
    model,
    max_tokens: outputMax ?? limits[model] ?? limits.default ?? outputMaxDefault,
    ...encodeMessages(request.messages, noted),
  }
  if (stream !== undefined) body.stream = stream
  encodeSampling(request, body, noted)
  encodeTools(request, body, noted)
  encodeThinking(request, aim, body, noted)
  encodeFormat(request, body, noted)
  if (cache) body.cache_control = encodeCache(cache)
  encodeWho(request, body, noted)
  // What must not be kept is not.
  for (const name of foreign)
    if (request[name] !== undefined && request[name] !== false) noted.drop(name)
  if ((request.n ?? 1) > 1) noted.drop('n')
  if (aim.keepsExtra && extra) Object.assign(body, { ...extra.fields, ...body })
  else noted.dropForeign(extra)
  const { output_config, metadata, ...fields } = ownFields(extra, own) ?? {}
  if (output_config) body.output_config = { ...body.output_config, ...output_config }
  if (metadata) body.metadata = { ...body.metadata, ...metadata }
  return { body: Object.assign(body, fields), notes: noted.notes }
}

/** Of these the dialect has no field. */
const foreign = [
  ...([
    'seed',
    'presencePenalty',
    'frequencyPenalty',
    'logprobs',
    'verbosity',
    'modalities',
  ] as const),
  ...(['audio', 'metadata', 'store', 'cacheKey', 'cacheRetention'] as const),
]

const encodeSampling = (request: ChatRequest, body: Json, noted: Noting): void => {
  const { model, temperature, topP, topK, stop } = request
  const { isStrict, oneSampler } = abilityOf(model)
  const take = (name: string, value: number | undefined, isTaken: boolean): void => {
    if (value !== undefined && isTaken) body[name] = value
    else if (value !== undefined) noted.drop(name)
  }
  // Others count to 2 here.
  if (temperature !== undefined && temperature > 1) noted.drop('temperature above 1')
  take('temperature', temperature === undefined ? undefined : Math.min(1, temperature), !isStrict)
  take('top_p', topP, !isStrict && !(oneSampler && temperature !== undefined))
  take('top_k', topK, !isStrict)
  const sequences = stop?.filter(each => each.trim() !== '')
  if (sequences && sequences.length < stop!.length) noted.drop('stop of blanks')
  if (sequences && sequences.length > 0) body.stop_sequences = sequences
}

const encodeFormat = (request: ChatRequest, body: Json, noted: Noting): void => {
  const { format, model } = request
  if (format?.type === 'json') noted.drop('response_format json_object')
  if (format?.type !== 'schema') return
  const said = { type: 'json_schema', schema: format.schema }
  if (abilityOf(model).schemas) body.output_config = { ...body.output_config, format: said }
  else noted.drop('response_format json_schema')
}

const tiers: Readonly<Record<string, string>> = {
  auto: 'auto',
  standard_only: 'standard_only',
  default: 'standard_only',
  priority: 'auto',
}

const encodeWho = ({ user, safetyId, tier }: ChatRequest, body: Json, noted: Noting): void => {
  const id = user ?? safetyId
  if (id !== undefined) body.metadata = { user_id: id }
  if (user !== undefined && safetyId !== undefined) noted.drop('safetyId')
  if (tier === undefined) return
  if (Object.hasOwn(tiers, tier)) body.service_tier = tiers[tier]
  else noted.drop('service_tier')
}
