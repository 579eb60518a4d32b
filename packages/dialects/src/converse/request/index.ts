import type { ChatRequest } from '../../canon.ts'
import type { Aim, Written } from '../../dialect.ts'
import { listOf, stringOf } from '../../extra.ts'
import type { Json } from '../../json.ts'
import { type Noting, noting } from '../../notes.ts'
import { abilityOf } from '../models.ts'
import { encodeTools } from '../tools.ts'
import { encodeMessages } from './messages.ts'
import { encodeThinking } from './thinking.ts'

const own = 'converse'

/**
 * The model, and whether to stream, stand in the path.
 * https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html
 */
export const encodeRequest = (request: ChatRequest, aim: Aim = {}): Written => {
  const noted = noting(own)
  const { extra, model } = request
  const marks = abilityOf(model).marks !== 'nowhere'
  const body: Json = encodeMessages(request, { noting: noted, names: new Set(), marks })
  encodeInference(request, body, noted)
  encodeTools(request, body, noted)
  encodeThinking(request, body, noted)
  encodeTopK(request, body, noted)
  encodeFormat(request, body, noted)
  encodeWho(request, body, noted)
  for (const name of foreign) if (request[name] !== undefined) noted.drop(name)
  if (request.modalities?.some(each => each !== 'text')) noted.drop('modalities')
  if ((request.n ?? 1) > 1) noted.drop('n')
  // What the vendor hands on to its model as it is.
  if (aim.keepsExtra && extra)
    body.additionalModelRequestFields = { ...extra.fields, ...body.additionalModelRequestFields }
  else noted.dropForeign(extra)
  return { body, notes: noted.notes }
}

/** Of these the dialect has no field. */
const foreign = [
  ...(['seed', 'presencePenalty', 'frequencyPenalty', 'logprobs', 'verbosity', 'audio'] as const),
  ...(['user', 'safetyId', 'store', 'cacheKey', 'cacheRetention'] as const),
]

const encodeInference = (request: ChatRequest, body: Json, noted: Noting): void => {
  const { outputMax, temperature, topP, stop } = request
  const config: Json = {}
  if (outputMax !== undefined) config.maxTokens = outputMax
  // Others count to 2 here.
  if (temperature !== undefined && temperature > 1) noted.drop('temperature above 1')
  if (temperature !== undefined) config.temperature = Math.min(1, temperature)
  if (topP !== undefined) config.topP = topP
  const sequences = listOf(stop).filter(each => stringOf(each) !== '')
  if (sequences.length > 0) config.stopSequences = sequences
  for (const _ in config) {
    body.inferenceConfig = config
    return
  }
}

const encodeTopK = ({ topK, model }: ChatRequest, body: Json, noted: Noting): void => {
  if (topK === undefined) return
  const fields = abilityOf(model).topK?.(topK)
  const before = body.additionalModelRequestFields
  // Thinking as hard as it can, a model samples as it likes.
  if (!fields || before?.reasoningConfig?.maxReasoningEffort === 'high') noted.drop('top_k')
  else body.additionalModelRequestFields = { ...before, ...fields }
}

const encodeFormat = ({ format, model }: ChatRequest, body: Json, noted: Noting): void => {
  if (format?.type === 'json') noted.drop('response_format json_object')
  if (format?.type !== 'schema') return
  if (!abilityOf(model).schemas) {
    noted.drop('response_format json_schema')
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
const metadataWords = /^[a-zA-Z0-9\s:_@$#=/+,.-]{0,256}$/

const encodeWho = ({ tier, metadata }: ChatRequest, body: Json, noted: Noting): void => {
  if (tier !== undefined && tiers.has(tier)) body.serviceTier = { type: tier }
  else if (tier !== undefined && tier !== 'auto') noted.drop('service_tier')
  const entries = Object.entries(metadata ?? {})
  const told = entries
    .filter(
      ([name, value]) =>
        name !== '' &&
        metadataWords.test(name) &&
        typeof value === 'string' &&
        metadataWords.test(value),
    )
    .slice(0, metadataMax)
  if (told.length < entries.length) noted.drop('metadata')
  if (told.length > 0) body.requestMetadata = Object.fromEntries(told)
}
