import type { ChatAnswer, Choice, Finish, Part, ReportedUsage } from '../canon.ts'
import { hasFields, isEmpty } from '../decode-values.ts'
import type { Encoded, EncodeOptions } from '../dialect.ts'
import type { Json } from '../json/json.ts'
import { finishReasonOf, finishWords } from '../reasons/finish-reasons.ts'
import { noUsage, servedOf } from '../usage.ts'
import { type WarningCollector, warningCollector } from '../warnings.ts'
import { noSummary } from './compact/summary.ts'
import { writerOf } from './compact/writer.ts'
import { dialectId, ownFields, partsOf, unknownFieldsFor } from './items.ts'
import { decodeRequest } from './request/index.ts'
import { instructionsOf } from './request/messages.ts'
import { encodeFormat, encodeTool, encodeToolChoice } from './tools.ts'
import { addTools, countTools, decodeUsage, encodeUsage } from './usage.ts'

/**
 * The default fields of a response. Fields equal to them are not stored. Open Responses requires every one, and a number
 * where OpenAI once had null: https://www.openresponses.org/specification
 */
const blank: Json = {
  object: 'response',
  background: false,
  completed_at: null,
  error: null,
  frequency_penalty: 0,
  incomplete_details: null,
  instructions: null,
  max_output_tokens: null,
  max_tool_calls: null,
  parallel_tool_calls: true,
  presence_penalty: 0,
  previous_response_id: null,
  prompt_cache_key: null,
  reasoning: { effort: null, summary: null },
  safety_identifier: null,
  store: false,
  temperature: 1,
  text: { format: { type: 'text' } },
  tool_choice: 'auto',
  tools: [],
  top_logprobs: 0,
  top_p: 1,
  truncation: 'disabled',
  user: null,
  metadata: {},
}

/** Unknown request fields that a response repeats: https://platform.openai.com/docs/api-reference/responses/object */
const echoedRequestFields = new Set([
  ...['background', 'max_tool_calls', 'previous_response_id', 'conversation', 'prompt'],
  ...['truncation', 'presence_penalty', 'frequency_penalty'],
])

/**
 * Fields of a response that repeat the request, or state its completion and payer. They are stored together, because
 * other dialects lose nothing without them.
 */
const echoedFields = new Set([
  ...echoedRequestFields,
  ...['billing', 'completed_at', 'instructions', 'top_logprobs'],
  ...['prompt_cache_key', 'prompt_cache_retention', 'safety_identifier', 'service_tier'],
  ...['max_output_tokens', 'metadata', 'parallel_tool_calls', 'reasoning', 'store'],
  ...['temperature', 'text', 'tool_choice', 'tools', 'top_p', 'user'],
])

/** The fields of a request that its response repeats, and the defaults of the others. */
export const withDefaults = (body: Json): Json => {
  const read = decodeRequest(body)
  const echo = read.ok ? echoOf({ request: read.request }, warningCollector(dialectId)) : {}
  return { ...blank, ...echo }
}

const isSame = (a: Json, b: Json): boolean => JSON.stringify(a) === JSON.stringify(b)

export const defaultId = (prefix: string, responseId: string, index: number): string =>
  `${prefix}_${responseId}_${index}`

const prefixes: Readonly<Record<string, string>> = {
  message: 'msg',
  reasoning: 'rs',
  function_call: 'fc',
  custom_tool_call: 'ctc',
  image_generation_call: 'ig',
  tool_search_call: 'tsc',
  compaction: 'cmp',
}

/** The id that the gateway gives to an item without one. */
export const defaultIdOf = (item: Json, responseId: string, index: number): string =>
  defaultId(prefixes[item?.type] ?? 'item', responseId, index)

/** Decodes the fields that canon does not model; `headOf` decodes the others. */
export const decodeOtherFields = (response: Json): Json => {
  const { id, model, created_at, output, usage, status, service_tier, ...rest } = response
  const { incomplete_details, output_text, ...more } = rest
  const fields: Json = {}
  const echo: Json = {}
  for (const key of Object.keys(more))
    if (!isBlank(key, more[key])) (echoedFields.has(key) ? echo : fields)[key] = more[key]
  return Object.keys(echo).length > 0 ? { ...fields, echo } : fields
}

/** Vendors that know no value say null where the default is a number. */
const isBlank = (key: string, value: Json): boolean =>
  key in blank && (value === null || isSame(value, blank[key]))

export const headOf = (response: Json) => ({
  id: typeof response.id === 'string' ? response.id : '',
  model: typeof response.model === 'string' ? response.model : '',
  ...(Number.isFinite(response.created_at) ? { createdAt: response.created_at as number } : {}),
  ...(typeof response.service_tier === 'string' && !['auto', ''].includes(response.service_tier)
    ? { tier: response.service_tier as string }
    : {}),
})

/** `items` stands for the output, which the last event of a stream may leave out. */
export const decodeReportedUsage = (
  response: Json,
  items: unknown = response.output,
): ReportedUsage | undefined => {
  const { usage, tool_usage, service_tier } = response
  if (!hasFields(usage)) return undefined
  const decoded = decodeUsage(usage)
  if (decoded === 'broken') return { usage: decoded, ...unknownFieldsFor(usage) }
  addTools(decoded, countTools(items), tool_usage?.web_search?.num_requests)
  const served = servedOf({ tier: service_tier })
  if (served) decoded.served = served
  return { usage: decoded, ...unknownFieldsFor(usage) }
}

/** Returns undefined while the response is in progress. */
export const decodeFinish = (response: Json, parts: readonly Part[]): Finish | undefined => {
  const { status, incomplete_details: details, error } = response
  const hasCall = parts.some(part => part.type === 'tool-call')
  const isUnsaid = status === undefined || status === null || status === ''
  if (isUnsaid || status === 'completed') return { reason: hasCall ? 'tools' : 'stop' }
  if (!endStatuses.has(status)) return undefined
  const detail = status === 'failed' ? error?.code : details?.reason
  const word = typeof detail === 'string' ? `${status} ${detail}` : status
  const reason = finishReasonOf(dialectId, word) ?? (status === 'failed' ? 'error' : 'other')
  if (status === 'failed') return { reason, ...unknownFieldsFor({ status, error }) }
  if (finishWords[reason][dialectId] === word) return { reason }
  return {
    reason,
    ...unknownFieldsFor(
      status === 'incomplete' ? { status, incomplete_details: details } : { status },
    ),
  }
}

const endStatuses: ReadonlySet<unknown> = new Set([
  'completed',
  'incomplete',
  'failed',
  'cancelled',
])

export const decodeAnswer = (body: unknown): ChatAnswer => {
  const response: Json = typeof body === 'object' && body !== null ? body : {}
  const output: Json[] = Array.isArray(response.output) ? response.output.filter(isItem) : []
  const facts = headOf(response)
  const parts = output.flatMap((item, at) => partsOf(item, defaultIdOf(item, facts.id, at)))
  const finish = decodeFinish(response, parts)
  const reportedUsage = decodeReportedUsage(response)
  const isPending = finish === undefined ? { status: response.status } : {}
  return {
    ...facts,
    choices: [{ parts, ...(finish ? { finish } : {}) }],
    ...(reportedUsage ? { reportedUsage } : {}),
    ...unknownFieldsFor({ ...decodeOtherFields(response), ...isPending }),
  }
}

const isItem = (item: unknown): item is Json => typeof item === 'object' && !isEmpty(item)

/** Encodes the end of a response as its fields. */
export const encodeFinish = (finish: Finish | undefined, warnings: WarningCollector): Json => {
  if (!finish) return { status: 'in_progress' }
  const fields = ownFields(finish.unknownFields)
  if (Object.keys(fields).length > 0) return fields
  warnings.warnForeignFields(finish.unknownFields)
  const [status, detail] = finishWords[finish.reason][dialectId].split(' ')
  if (status === 'failed')
    return { status, error: { code: detail, message: 'The model ended with an error.' } }
  if (status === 'incomplete') return { status, incomplete_details: { reason: detail } }
  // The dialect has no status for what ended the answer.
  if (finish.reason !== 'stop' && finish.reason !== 'tools')
    warnings.warnDropped(
      finish.sequence === undefined ? `finish ${finish.reason}` : 'stop_sequence',
    )
  return { status }
}

export const encodeReportedUsage = (reportedUsage: ReportedUsage | undefined): Json => {
  const ownUsage = ownFields(reportedUsage?.unknownFields)
  if (Object.keys(ownUsage).length > 0) return ownUsage
  const usage = reportedUsage?.usage
  return usage === undefined ? null : encodeUsage(usage === 'broken' ? noUsage() : usage)
}

/** Encodes the request fields that a response repeats. */
const echoOf = ({ request }: EncodeOptions, warnings: WarningCollector): Json => {
  if (!request) return {}
  const { reasoning, verbosity, format } = request
  const echo: Json = {
    instructions: instructionsOf(request.messages),
    max_output_tokens: request.outputMax,
    parallel_tool_calls: request.parallelTools,
    temperature: request.temperature,
    top_p: request.topP,
    top_logprobs: request.logprobs?.top,
    metadata: request.metadata,
    user: request.user,
    safety_identifier: request.safetyId,
    // Unless the vendor names the tier that served the call, it was the wanted one.
    service_tier: request.tier === 'auto' ? 'default' : (request.tier ?? 'default'),
    prompt_cache_key: request.cacheKey,
    prompt_cache_retention: request.cacheRetention,
    store: request.store,
    tools: request.tools?.map(tool => wholeTool(encodeTool(tool, warnings))).filter(Boolean),
    tool_choice: request.toolChoice && encodeToolChoice(request.toolChoice, warnings),
    ...(reasoning && {
      reasoning: { effort: reasoning.effort ?? null, summary: reasoning.summary ?? null },
    }),
    ...((format || verbosity) && {
      text: {
        format: format ? wholeFormat(encodeFormat(format, warnings)) : { type: 'text' },
        ...(verbosity ? { verbosity } : {}),
      },
    }),
    ...Object.fromEntries(
      Object.entries(ownFields(request.unknownFields)).filter(([key]) =>
        echoedRequestFields.has(key),
      ),
    ),
  }
  return Object.fromEntries(
    Object.entries(echo).filter(([, value]) => value !== undefined && value !== null),
  )
}

/** A response shows every field of a function, also those that its request left out. */
const wholeTool = (tool: Json): Json =>
  tool?.type === 'function'
    ? { ...tool, description: tool.description ?? null, strict: tool.strict ?? null }
    : tool

const wholeFormat = (format: Json): Json =>
  format.type === 'json_schema'
    ? { ...format, description: format.description ?? null, strict: format.strict ?? false }
    : format

/** Builds the complete response object for any state. */
export const responseOf = (
  answer: Pick<ChatAnswer, 'id' | 'model' | 'createdAt' | 'tier' | 'unknownFields'>,
  state: Json,
  options: EncodeOptions,
): Json => {
  const { echo, ...fields } = ownFields(answer.unknownFields)
  return {
    id: answer.id,
    ...blank,
    created_at: answer.createdAt ?? options.createdAt ?? 0,
    model: answer.model,
    ...(state.status === 'completed' ? { completed_at: completedAt(options) } : {}),
    // The request was encoded with its own warnings, so these are dropped.
    ...echoOf(options, warningCollector(dialectId)),
    ...(answer.tier === undefined ? {} : { service_tier: answer.tier }),
    ...fields,
    ...echo,
    ...state,
  }
}

const completedAt = ({ now, createdAt }: EncodeOptions): number | null =>
  now?.() ?? createdAt ?? null

export const encodeResponse = (answer: ChatAnswer, options: EncodeOptions = {}): Encoded => {
  const warnings = warningCollector(dialectId)
  warnings.warnForeignFields(answer.unknownFields)
  const [choice, ...others] = answer.choices
  if (others.length > 0) warnings.warnDropped('choices')
  const output = outputOf(answer.id, choice, options, warnings)
  const isMissing = options.summaryMark !== undefined && output.length === 0
  const state = {
    output,
    // A whole answer without a reason has ended, unless its status says otherwise.
    ...encodeFinish(
      choice?.finish ?? (isPending(answer) ? undefined : { reason: 'stop' }),
      warnings,
    ),
    ...(ownFields(answer.unknownFields).status && {
      status: ownFields(answer.unknownFields).status,
    }),
    ...(isMissing && { status: 'failed', error: noSummary }),
    usage: encodeReportedUsage(answer.reportedUsage),
  }
  return { body: responseOf(answer, state, options), warnings: warnings.list }
}

const isPending = ({ unknownFields }: ChatAnswer): boolean =>
  ownFields(unknownFields).status !== undefined

const outputOf = (
  id: string,
  choice: Choice | undefined,
  options: EncodeOptions,
  warnings: WarningCollector,
): Json[] => {
  const writer = writerOf(options, {
    warnings,
    emit: () => {},
    idOf: (prefix, index) => defaultId(prefix, id, index),
  })
  for (const part of choice?.parts ?? []) writer.addPart(part)
  writer.close()
  warnings.warnForeignFields(choice?.unknownFields)
  return writer.items
}
