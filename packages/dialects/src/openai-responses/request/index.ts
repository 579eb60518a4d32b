import type { ChatRequest, Reasoning } from '../../canon.ts'
import type { Encoded, EncodeRequestOptions, RequestResult, TokenCounting } from '../../dialect.ts'
import type { Json } from '../../json/json.ts'
import { effortOfBudget } from '../../model-rules/thinking.ts'
import { type WarningCollector, warningCollector } from '../../warnings.ts'
import { compactionFault } from '../compact/summary.ts'
import { dialectId, ownFields, unknownFieldsFor } from '../items.ts'
import {
  decodeFormat,
  decodeTool,
  decodeToolChoice,
  encodeFormat,
  encodeTool,
  encodeToolChoice,
} from '../tools.ts'
import { inputOf, itemsOf, messagesOf } from './messages.ts'

const withLogprobs = 'message.output_text.logprobs'
const withProofs = 'reasoning.encrypted_content'

export const decodeRequest = (body: unknown): RequestResult => {
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    return { ok: false, reason: 'invalid', hint: 'A JSON object is expected.' }
  const { model, input, instructions, stream, tools, tool_choice, text, reasoning, ...more } =
    body as Json
  const {
    parallel_tool_calls,
    max_output_tokens,
    temperature,
    top_p,
    top_logprobs,
    include,
    metadata,
    user,
    safety_identifier,
    service_tier,
    store,
    prompt_cache_key,
    prompt_cache_retention,
    prompt_cache_options,
    ...rest
  } = more
  if (typeof model !== 'string')
    return { ok: false, reason: 'invalid', hint: "'model' must be the name of a model." }
  const items = itemsOf(input)
  if (!items) return { ok: false, reason: 'invalid', hint: "'input' must be a text or a list." }
  const fault = compactionFault(items, rest)
  if (fault !== undefined) return { ok: false, reason: 'invalid', hint: fault }
  const { format, verbosity, ...textRest } = text ?? {}
  const decodedFormat = format ? decodeFormat(format) : undefined
  const including = Array.isArray(include) ? include : []
  const included = including.filter(each => each !== withLogprobs)
  const hasLogprobs = included.length < including.length || isSet(top_logprobs)
  const oddText = { ...(format && !decodedFormat ? { format } : {}), ...textRest }
  return {
    ok: true,
    request: set({
      model,
      messages: messagesOf(items, instructions),
      stream: isSet(stream) ? stream : undefined,
      tools: Array.isArray(tools) ? tools.map(decodeTool) : undefined,
      toolChoice: isSet(tool_choice) ? decodeToolChoice(tool_choice) : undefined,
      parallelTools: parallel_tool_calls ?? undefined,
      outputMax: max_output_tokens ?? undefined,
      temperature: temperature ?? undefined,
      topP: top_p ?? undefined,
      logprobs: hasLogprobs ? (isSet(top_logprobs) ? { top: top_logprobs } : {}) : undefined,
      format: decodedFormat,
      verbosity: verbosity ?? undefined,
      reasoning: isSet(reasoning) ? decodeReasoning(reasoning) : undefined,
      metadata: metadata ?? undefined,
      user: user ?? undefined,
      safetyId: safety_identifier ?? undefined,
      tier: service_tier ?? undefined,
      store: store ?? undefined,
      cacheKey: prompt_cache_key ?? undefined,
      cacheRetention: prompt_cache_retention ?? undefined,
      cacheOptions: prompt_cache_options ?? undefined,
      ...unknownFieldsFor({
        ...(included.length > 0 ? { include: included } : {}),
        ...(Object.keys(oddText).length > 0 ? { text: oddText } : {}),
        ...rest,
      }),
    }),
  }
}

export const encodeRequest = (request: ChatRequest, aim?: EncodeRequestOptions): Encoded => {
  const warnings = warningCollector(dialectId)
  const { include, text: oddText, ...rest } = ownFields(request.unknownFields)
  if (aim?.keepUnknownFields && request.unknownFields?.dialect !== dialectId)
    Object.assign(rest, request.unknownFields?.fields)
  else warnings.warnForeignFields(request.unknownFields)
  for (const [name, value] of unsayable(request))
    if (value !== undefined) warnings.warnDropped(name)
  if (request.n && request.n > 1) warnings.warnDropped('n')
  const { instructions, input } = inputOf(request, warnings)
  const { format, verbosity, reasoning, logprobs } = request
  const thinks = reasoning !== undefined && reasoning.mode !== 'disabled'
  const included = [
    ...(include ?? []),
    ...(logprobs ? [withLogprobs] : []),
    // Callers of other dialects send the history themselves, so they need the encrypted reasoning.
    ...(aim && thinks && !include?.includes(withProofs) ? [withProofs] : []),
  ]
  const text = {
    ...(format ? { format: encodeFormat(format, warnings) } : {}),
    ...(verbosity === undefined ? {} : { verbosity }),
    ...oddText,
  }
  const body = set({
    model: request.model,
    instructions,
    input,
    stream: request.stream,
    max_output_tokens: request.outputMax,
    temperature: request.temperature,
    top_p: request.topP,
    tools: request.tools?.flatMap(tool => encodeTool(tool, warnings) ?? []),
    tool_choice: request.toolChoice && encodeToolChoice(request.toolChoice, warnings),
    parallel_tool_calls: request.parallelTools,
    top_logprobs: logprobs?.top,
    include: included.length > 0 ? included : undefined,
    text: Object.keys(text).length > 0 ? text : undefined,
    reasoning: reasoning && encodeReasoning(reasoning, warnings),
    metadata: request.metadata,
    user: request.user,
    safety_identifier: request.safetyId,
    service_tier: request.tier,
    store: request.store ?? (aim ? false : undefined),
    prompt_cache_key: request.cacheKey,
    prompt_cache_retention: request.cacheRetention,
    prompt_cache_options: request.cacheOptions,
    ...rest,
  })
  return { body, warnings: warnings.list }
}

/** Fields that this dialect lacks, by the names that callers know. */
const unsayable = (request: ChatRequest): [string, unknown][] => [
  ['stop', request.stop],
  ['seed', request.seed],
  ['top_k', request.topK],
  ['presence_penalty', request.presencePenalty],
  ['frequency_penalty', request.frequencyPenalty],
  ['audio', request.audio],
  ['modalities', request.modalities?.find(each => each !== 'text')],
  ['cache_control', request.cache],
]

const decodeReasoning = ({ effort, summary, ...rest }: Json): Reasoning => ({
  ...(isSet(effort) ? { effort } : {}),
  ...(isSet(summary) ? { summary } : {}),
  ...unknownFieldsFor(rest),
})

/** Converts a token budget to the nearest effort, the only measure of this dialect. */
const encodeReasoning = (reasoning: Reasoning, warnings: WarningCollector): Json | undefined => {
  const { mode, effort, budget, summary, unknownFields } = reasoning
  warnings.warnForeignFields(unknownFields)
  if (budget && budget > 0) warnings.warnDropped('reasoning.budget')
  const effortName =
    effort ?? (mode === 'disabled' || budget === 0 ? 'none' : effortOfBudget(budget))
  return {
    ...(effortName === undefined ? {} : { effort: effortName }),
    ...(summary === undefined || summary === 'none' ? {} : { summary }),
    ...fieldsOfChat(reasoning),
    ...ownFields(unknownFields),
  }
}

/** OpenAI's chats have the same object. Canon and OpenRouter have the fields that are left out here. */
const fieldsOfChat = ({ unknownFields }: Reasoning): Json => {
  if (unknownFields?.dialect !== 'openai-chat') return {}
  const { effort, summary, max_tokens, exclude, enabled, ...rest } = (unknownFields.fields
    .reasoning ?? {}) as Json
  return rest
}

const isSet = (value: Json): boolean => value !== undefined && value !== null

const set = <Made extends object>(made: Made): Made =>
  Object.fromEntries(Object.entries(made).filter(([, value]) => value !== undefined)) as Made

/** `POST /v1/responses/input_tokens` accepts the body of a response request. */
export const counting: TokenCounting = {
  decodeRequest,
  encodeRequest: request => encodeRequest(request),
  decodeAnswer: body => {
    const tokens = (body as Json)?.input_tokens
    return Number.isSafeInteger(tokens) && tokens >= 0 ? tokens : undefined
  },
  encodeResponse: tokens => ({ object: 'response.input_tokens', input_tokens: tokens }),
}
