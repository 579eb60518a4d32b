import type { Json } from '../json/json.ts'
import { inputTokens } from '../usage.ts'
import { warningCollector } from '../warnings.ts'
import type { EmbeddingInput, Embeddings } from './canon.ts'
import { decodeUsage } from './usage.ts'

const dialectId = 'openai-chat'

/** https://platform.openai.com/docs/api-reference/embeddings */
export const openaiCodec: Embeddings = {
  decodeRequest: body => {
    const { model, input, dimensions, encoding_format, user, ...rest } = (body ?? {}) as Json
    if (typeof model !== 'string')
      return { ok: false, reason: 'invalid', hint: "'model' must be the name of a model." }
    const inputs = inputsOf(input)
    if (!inputs?.length)
      return { ok: false, reason: 'invalid', hint: "'input' must be texts, or numbers of tokens." }
    return {
      ok: true,
      request: {
        model,
        inputs,
        ...(typeof dimensions === 'number' ? { dimensions } : {}),
        ...(encoding_format === 'base64' ? { isBase64: true } : {}),
        ...(typeof user === 'string' ? { user } : {}),
        ...(Object.keys(rest).length > 0
          ? { unknownFields: { dialect: dialectId, fields: rest } }
          : {}),
      },
    }
  },

  encodeRequest: ({ model, inputs, dimensions, isBase64, user, task, title, unknownFields }) => {
    const warnings = warningCollector(dialectId)
    warnings.warnForeignFields(unknownFields)
    if (task !== undefined) warnings.warnDropped('taskType')
    if (title !== undefined) warnings.warnDropped('title')
    const plain = inputs.map(each => ('text' in each ? each.text : each.tokens))
    return {
      body: {
        model,
        input: plain,
        ...(dimensions === undefined ? {} : { dimensions }),
        ...(isBase64 ? { encoding_format: 'base64' } : {}),
        ...(user === undefined ? {} : { user }),
        ...(unknownFields?.dialect === dialectId ? unknownFields.fields : {}),
      },
      warnings: warnings.list,
    }
  },

  decodeAnswer: (body, parsed) => {
    const { data, model, usage } = (body ?? {}) as Json
    if (!Array.isArray(data)) return undefined
    const sorted = data.toSorted((a: Json, b: Json) => (a?.index ?? 0) - (b?.index ?? 0))
    return {
      model: typeof model === 'string' ? model : parsed,
      vectors: sorted.map((each: Json) => vectorOf(each?.embedding)),
      ...(usage ? { usage: decodeUsage(usage) } : {}),
    }
  },

  encodeResponse: ({ model, vectors, usage }, { isBase64 }) => {
    const tokens = usage === undefined || usage === 'broken' ? 0 : inputTokens(usage)
    return {
      object: 'list',
      data: vectors.map((vector, index) => ({
        object: 'embedding',
        index,
        embedding: isBase64 ? base64Of(vector) : vector,
      })),
      model,
      usage: { prompt_tokens: tokens, total_tokens: tokens },
    }
  },
}

const isTokens = (value: unknown): value is number[] =>
  Array.isArray(value) && value.length > 0 && value.every(each => typeof each === 'number')

const inputsOf = (input: Json): EmbeddingInput[] | undefined => {
  if (typeof input === 'string') return [{ text: input }]
  if (isTokens(input)) return [{ tokens: input }]
  if (!Array.isArray(input)) return undefined
  const inputs = input.flatMap((each): EmbeddingInput[] =>
    typeof each === 'string' ? [{ text: each }] : isTokens(each) ? [{ tokens: each }] : [],
  )
  return inputs.length === input.length ? inputs : undefined
}

export const vectorOf = (embedding: Json): number[] => {
  if (Array.isArray(embedding)) return embedding
  if (typeof embedding !== 'string') return []
  const bytes = Buffer.from(embedding, 'base64')
  return Array.from({ length: bytes.length >> 2 }, (_, at) => bytes.readFloatLE(at * 4))
}

export const base64Of = (vector: readonly number[]): string => {
  const bytes = Buffer.alloc(vector.length * 4)
  for (const [at, value] of vector.entries()) bytes.writeFloatLE(value, at * 4)
  return bytes.toString('base64')
}
