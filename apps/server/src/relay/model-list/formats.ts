import { Fault } from '@hub/contract'
import { actionsOf } from '@hub/contract/call-operations'
import type { CallerDialectId } from '@hub/dialects'
import { endpointTypesOf } from './endpoint-types.ts'
import { operationOfModel } from './model-operation.ts'
import type { Pricing } from './pricing.ts'

/** A listed model, in any dialect. */
export type ListedModel = {
  id: string
  owner: string
  pricing: Pricing | undefined
  /** The least that a call of a virtual model costs; `pricing` is the most. */
  pricingMin?: Pricing | undefined
}

/** The format of a dialect's model list and of one model. Models come sorted by id; the query selects a page. */
type ModelFormat = {
  list(models: readonly ListedModel[], query: URLSearchParams): unknown
  one(model: ListedModel): unknown
}

/** One Hub's fixed creation time, which clients only compare. */
const created = 1_677_649_963

// https://platform.openai.com/docs/api-reference/models, and what New API and OpenRouter add to it.
const openai: ModelFormat = {
  list: models => {
    const sorted = [...models].sort((a, b) => compare(a.owner, b.owner) || compare(a.id, b.id))
    return { object: 'list', data: sorted.map(openai.one) }
  },
  one: ({ id, owner, pricing, pricingMin }) => ({
    id,
    object: 'model',
    created,
    owned_by: owner,
    supported_endpoint_types: endpointTypesOf(id),
    ...(pricing ? { pricing } : {}),
    ...(pricingMin ? { pricing_min: pricingMin } : {}),
  }),
}

// https://platform.claude.com/docs/en/api/models-list
const anthropic: ModelFormat = {
  list: (models, query) => {
    const limit = sizeOf(query, 'limit') ?? 20
    if (limit < 1 || limit > pageMax) throw invalidSize('limit', 1)
    const [after, before] = [query.get('after_id'), query.get('before_id')]
    // A cursor is a position in the order, so it stays valid when its model is removed.
    const remaining = models.filter(
      ({ id }) => (after === null || id > after) && (before === null || id < before),
    )
    const page = before === null ? remaining.slice(0, limit) : remaining.slice(-limit)
    return {
      data: page.map(anthropic.one),
      has_more: remaining.length > page.length,
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

// https://ai.google.dev/api/models: a larger page size than allowed is no error there.
const gemini: ModelFormat = {
  list: (models, query) => {
    const size = Math.min(sizeOf(query, 'pageSize') || 50, pageMax)
    const after = query.get('pageToken') ?? ''
    const remaining = models.filter(({ id }) => id > after)
    const page = remaining.slice(0, size)
    return {
      models: page.map(gemini.one),
      ...(remaining.length > page.length ? { nextPageToken: page.at(-1)!.id } : {}),
    }
  },
  one: ({ id }) => ({
    name: `models/${id}`,
    displayName: id,
    supportedGenerationMethods: methodsOf(id),
  }),
}

export const formats: Readonly<Record<CallerDialectId, ModelFormat>> = {
  'openai-chat': openai,
  'openai-responses': openai,
  anthropic,
  gemini,
}

const methodsOf = (model: string): string[] => {
  const operation = operationOfModel(model)
  return [...actionsOf(operation), ...(operation === 'chat' ? ['countTokens'] : [])]
}

const pageMax = 1_000

const sizeOf = (query: URLSearchParams, name: string): number | undefined => {
  const text = query.get(name)
  if (text === null || text === '') return undefined
  if (!/^\d{1,9}$/.test(text)) throw invalidSize(name, 0)
  return Number(text)
}

const invalidSize = (name: string, min: number) =>
  new Fault('request.invalid', {
    hint: `'${name}' must be a whole number from ${min} to ${pageMax}.`,
  })

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)
