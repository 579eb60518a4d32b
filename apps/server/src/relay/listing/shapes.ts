import { Fault } from '@hub/contract'
import type { PublicId } from '@hub/dialects'
import { operationOfModel } from '../model-kind.ts'
import { endpointTypesOf } from '../surface.ts'
import type { Pricing } from './pricing.ts'

/** A model as it is listed, in any dialect. */
export type Listed = { id: string; owner: string; pricing: Pricing | undefined }

/** How a dialect lists models: a page of them as the query wants it, or one. They come sorted by id. */
type Shape = {
  list(models: readonly Listed[], query: URLSearchParams): unknown
  one(model: Listed): unknown
}

/** One Hub's fixed time of creation: clients compare it, nobody reads it. */
const created = 1_677_649_963

// https://platform.openai.com/docs/api-reference/models, and what New API and OpenRouter add to it.
const openai: Shape = {
  list: models => {
    const sorted = [...models].sort((a, b) => compare(a.owner, b.owner) || compare(a.id, b.id))
    return { object: 'list', data: sorted.map(openai.one) }
  },
  one: ({ id, owner, pricing }) => ({
    id,
    object: 'model',
    created,
    owned_by: owner,
    supported_endpoint_types: endpointTypesOf(id),
    ...(pricing ? { pricing } : {}),
  }),
}

// https://platform.claude.com/docs/en/api/models-list
const anthropic: Shape = {
  list: (models, query) => {
    const limit = sizeOf(query, 'limit') ?? 20
    if (limit < 1 || limit > pageMax) throw wrongSize('limit', 1)
    const [after, before] = [query.get('after_id'), query.get('before_id')]
    // A cursor is a place in the order: it holds even where its model is gone by now.
    const rest = models.filter(
      ({ id }) => (after === null || id > after) && (before === null || id < before),
    )
    const page = before === null ? rest.slice(0, limit) : rest.slice(-limit)
    return {
      data: page.map(anthropic.one),
      has_more: rest.length > page.length,
      first_id: page[0]?.id ?? null,
      last_id: page.at(-1)?.id ?? null,
    }
  },
  one: ({ id }) => ({
    type: 'model',
    id,
    display_name: id,
    created_at: new Date(created * 1_000).toISOString(),
  }),
}

// https://ai.google.dev/api/models: more than a page may have is no error there.
const gemini: Shape = {
  list: (models, query) => {
    const size = Math.min(sizeOf(query, 'pageSize') || 50, pageMax)
    const after = query.get('pageToken') ?? ''
    const rest = models.filter(({ id }) => id > after)
    const page = rest.slice(0, size)
    return {
      models: page.map(gemini.one),
      ...(rest.length > page.length ? { nextPageToken: page.at(-1)!.id } : {}),
    }
  },
  one: ({ id }) => ({
    name: `models/${id}`,
    displayName: id,
    supportedGenerationMethods: methods[operationOfModel(id)],
  }),
}

export const shapes: Readonly<Record<PublicId, Shape>> = {
  'openai-chat': openai,
  'openai-responses': openai,
  anthropic,
  gemini,
}

const methods = {
  chat: ['generateContent', 'streamGenerateContent', 'countTokens'],
  embeddings: ['embedContent', 'batchEmbedContents'],
}

const pageMax = 1_000

const sizeOf = (query: URLSearchParams, name: string): number | undefined => {
  const text = query.get(name)
  if (text === null || text === '') return undefined
  if (!/^\d{1,9}$/.test(text)) throw wrongSize(name, 0)
  return Number(text)
}

const wrongSize = (name: string, least: number) =>
  new Fault('request.invalid', {
    hint: `'${name}' must be a whole number from ${least} to ${pageMax}.`,
  })

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)
