import { plainName } from '../gemini/passthrough/read-request.ts'
import { camelized } from '../gemini/schema.ts'
import { decodeUsage } from '../gemini/usage.ts'
import type { Json } from '../json/json.ts'
import { inputTokens, noUsage } from '../usage.ts'
import { warningCollector } from '../warnings.ts'
import { type Embeddings, type EmbeddingsRequest, refuseTokenIds } from './canon.ts'

const dialectId = 'gemini'

/** `embedContent` returns one vector, `batchEmbedContents` several. https://ai.google.dev/api/embeddings */
export const geminiCodec: Embeddings = {
  decodeRequest: (body, named) => {
    const encoded = camelized((body ?? {}) as Json)
    const isBatch = Array.isArray(encoded.requests)
    const parsed: Json[] = (isBatch ? encoded.requests : [encoded]).map((each: Json) => each ?? {})
    const [first = {}] = parsed
    const model = named?.model ?? plainName(String(first.model ?? ''))
    if (model === '') return { ok: false, reason: 'invalid', hint: 'The path must name a model.' }
    const texts = parsed.map(textIn)
    if (texts.length === 0 || texts.some(text => text === undefined))
      return { ok: false, reason: 'invalid', hint: "'content' must be text." }
    if (parsed.some(each => isOther(each, first)))
      return { ok: false, reason: 'invalid', hint: 'All of a batch must be asked alike.' }
    // Newer models take the settings in `embedContentConfig`.
    const { embedContentConfig, ...settings } = first
    const {
      content,
      model: _,
      taskType,
      title,
      outputDimensionality,
      ...rest
    } = {
      ...settings,
      ...embedContentConfig,
    }
    return {
      ok: true,
      request: {
        model,
        inputs: texts.map(text => ({ text: text! })),
        ...(typeof outputDimensionality === 'number' ? { dimensions: outputDimensionality } : {}),
        ...(typeof taskType === 'string' ? { task: taskType } : {}),
        ...(typeof title === 'string' ? { title } : {}),
        ...(isBatch ? { isList: true } : {}),
        ...asUnknownFields(rest),
      },
    }
  },

  encodeRequest: request => {
    const { model, inputs, dimensions, task, title, user, unknownFields } = request
    const warnings = warningCollector(dialectId)
    warnings.warnForeignFields(unknownFields)
    if (user !== undefined) warnings.warnDropped('user')
    const rest = fieldsOf(request)
    const name = model.includes('/') ? model : `models/${model}`
    const parsed = inputs.map(input => ({
      model: name,
      content: { parts: [{ text: 'text' in input ? input.text : '' }] },
      ...(task === undefined ? {} : { taskType: task }),
      ...(title === undefined ? {} : { title }),
      ...(dimensions === undefined ? {} : { outputDimensionality: dimensions }),
      ...rest,
    }))
    const isBatch = request.isList === true || parsed.length !== 1
    return { body: isBatch ? { requests: parsed } : parsed[0]!, warnings: warnings.list }
  },

  refuses: refuseTokenIds,

  /** Also decodes responses of Vertex's `predict`. */
  decodeAnswer: (body, model) => {
    const { embedding, embeddings, predictions, usageMetadata } = (body ?? {}) as Json
    const all = embedding ? [embedding] : (embeddings ?? predictions)
    if (!Array.isArray(all)) return undefined
    const encoded = all.map((each: Json) => each?.embeddings ?? each)
    const counts = encoded.map((each: Json) => each?.statistics?.token_count)
    const sum = counts.reduce((all, each) => all + each, 0)
    const usage = usageMetadata
      ? decodeUsage(usageMetadata)
      : Number.isSafeInteger(sum) && sum >= 0 && counts.length > 0
        ? { ...noUsage(), input: sum }
        : undefined
    return {
      model,
      vectors: encoded.map((each: Json) => (Array.isArray(each?.values) ? each.values : [])),
      ...(usage ? { usage } : {}),
    }
  },

  encodeResponse: ({ vectors, usage }, request) => {
    const all = vectors.map(values => ({ values }))
    const tokens = usage === undefined || usage === 'broken' ? undefined : inputTokens(usage)
    const isBatch = request.isList === true || all.length !== 1
    return {
      ...(isBatch ? { embeddings: all } : { embedding: all[0] }),
      ...(tokens === undefined
        ? {}
        : { usageMetadata: { promptTokenCount: tokens, totalTokenCount: tokens } }),
    }
  },
}

const fieldsOf = ({ unknownFields }: EmbeddingsRequest): Json =>
  unknownFields?.dialect === dialectId ? unknownFields.fields : {}

const asUnknownFields = (fields: Json) =>
  Object.keys(fields).length > 0 ? { unknownFields: { dialect: dialectId, fields } as const } : {}

const textIn = ({ content }: Json): string | undefined => {
  if (typeof content === 'string') return content
  const parts = content?.parts
  const list: Json[] = Array.isArray(parts) ? parts : parts ? [parts] : []
  return list.length > 0 && list.every(part => typeof part?.text === 'string')
    ? list.map(part => part.text).join('')
    : undefined
}

/** Canon has one task, title and dimension count for all inputs. */
const isOther = ({ content, ...each }: Json, { content: _, ...first }: Json): boolean =>
  JSON.stringify(each) !== JSON.stringify(first)
