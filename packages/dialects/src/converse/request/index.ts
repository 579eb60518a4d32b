import type { ChatRequest } from '../../canon.ts'
import { listOf, stringOf } from '../../decode-values.ts'
import type { Encoded, EncodeRequestOptions } from '../../dialect.ts'
import type { Json } from '../../json/json.ts'
import { type WarningCollector, warningCollector } from '../../warnings.ts'
import { featuresOf } from '../models.ts'
import { encodeTools } from '../tools.ts'
import { encodeMessages } from './messages.ts'
import { encodeThinking } from './thinking.ts'

const dialectId = 'converse'

/**
 * Encodes the body; model and stream are path parameters.
 * https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html
 */
export const encodeRequest = (
  request: ChatRequest,
  options: EncodeRequestOptions = {},
): Encoded => {
  const warnings = warningCollector(dialectId)
  const { unknownFields, model } = request
  const acceptsCachePoints = featuresOf(model).cachePoints !== 'nowhere'
  const body: Json = encodeMessages(request, { warnings, names: new Set(), acceptsCachePoints })
  encodeInference(request, body, warnings)
  encodeTools(request, body, warnings)
  encodeThinking(request, body, warnings)
  encodeTopK(request, body, warnings)
  encodeFormat(request, body, warnings)
  encodeTierAndMetadata(request, body, warnings)
  for (const name of unsupportedFields) if (request[name] !== undefined) warnings.warnDropped(name)
  if (request.modalities?.some(each => each !== 'text')) warnings.warnDropped('modalities')
  if ((request.n ?? 1) > 1) warnings.warnDropped('n')
  // The vendor passes these fields to the model unchanged.
  if (options.keepUnknownFields && unknownFields)
    body.additionalModelRequestFields = {
      ...unknownFields.fields,
      ...body.additionalModelRequestFields,
    }
  else warnings.warnForeignFields(unknownFields)
  return { body, warnings: warnings.list }
}

/** Request fields that this dialect cannot express. */
const unsupportedFields = [
  ...(['seed', 'presencePenalty', 'frequencyPenalty', 'logprobs', 'verbosity', 'audio'] as const),
  ...(['user', 'safetyId', 'store', 'cacheKey', 'cacheRetention', 'cacheOptions'] as const),
]

const encodeInference = (request: ChatRequest, body: Json, warnings: WarningCollector): void => {
  const { outputMax, temperature, topP, stop } = request
  const config: Json = {}
  if (outputMax !== undefined) config.maxTokens = outputMax
  // Other dialects allow temperatures up to 2.
  if (temperature !== undefined && temperature > 1) warnings.warnDropped('temperature above 1')
  if (temperature !== undefined) config.temperature = Math.min(1, temperature)
  if (topP !== undefined) config.topP = topP
  const sequences = listOf(stop).filter(each => stringOf(each) !== '')
  if (sequences.length > 0) config.stopSequences = sequences
  for (const _ in config) {
    body.inferenceConfig = config
    return
  }
}

const encodeTopK = ({ topK, model }: ChatRequest, body: Json, warnings: WarningCollector): void => {
  if (topK === undefined) return
  const fields = featuresOf(model).topK?.(topK)
  const before = body.additionalModelRequestFields
  // The highest thinking effort excludes sampling settings.
  if (!fields || before?.reasoningConfig?.maxReasoningEffort === 'high')
    warnings.warnDropped('top_k')
  else body.additionalModelRequestFields = { ...before, ...fields }
}

const encodeFormat = (
  { format, model }: ChatRequest,
  body: Json,
  warnings: WarningCollector,
): void => {
  if (format?.type === 'json') warnings.warnDropped('response_format json_object')
  if (format?.type !== 'schema') return
  if (!featuresOf(model).schemas) {
    warnings.warnDropped('response_format json_schema')
    return
  }
  const { name, description, schema } = format
  const jsonSchema = {
    schema: JSON.stringify(schema ?? {}),
    ...(name === undefined ? {} : { name }),
    ...(description === undefined ? {} : { description }),
  }
  body.outputConfig = { textFormat: { type: 'json_schema', structure: { jsonSchema } } }
}

const tiers = new Set(['default', 'priority', 'flex'])
const metadataMax = 16
/** https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html#bedrock-runtime_Converse-request-requestMetadata */
const metadataPattern = /^[a-zA-Z0-9\s:_@$#=/+,.-]{0,256}$/

const encodeTierAndMetadata = (
  { tier, metadata }: ChatRequest,
  body: Json,
  warnings: WarningCollector,
): void => {
  if (tier !== undefined && tiers.has(tier)) body.serviceTier = { type: tier }
  else if (tier !== undefined && tier !== 'auto') warnings.warnDropped('service_tier')
  const entries = Object.entries(metadata ?? {})
  const accepted = entries
    .filter(
      ([name, value]) =>
        name !== '' &&
        metadataPattern.test(name) &&
        typeof value === 'string' &&
        metadataPattern.test(value),
    )
    .slice(0, metadataMax)
  if (accepted.length < entries.length) warnings.warnDropped('metadata')
  if (accepted.length > 0) body.requestMetadata = Object.fromEntries(accepted)
}
