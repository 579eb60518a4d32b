import type { Json } from '../json/json.ts'
import { splice } from '../json/splice.ts'
import type { ParsedRequest } from '../parsed-request.ts'
import { itemsOf } from './request/messages.ts'
import { defaultIdOf, withDefaults } from './response.ts'

// Helpers for stored responses: https://platform.openai.com/docs/guides/conversation-state

/** A message, a tool call or a tool output, unchanged. */
export type ResponseItem = Record<string, unknown>
export type ResponseObject = Record<string, unknown>

/** Returns the request's own items, or undefined for an invalid `input`. */
export const inputItems = ({ body, fieldRanges }: Pick<ParsedRequest, 'body' | 'fieldRanges'>) => {
  const place = fieldRanges.get('input')
  const input: unknown = place && JSON.parse(body.toString('utf8', place.start, place.end))
  return itemsOf(input) as ResponseItem[] | undefined
}

/** Builds a body that contains the earlier conversation, refers to nothing that is stored, and is answered at once. */
export const withEarlier = (
  ask: ParsedRequest,
  earlier: readonly ResponseItem[],
  own: readonly ResponseItem[],
): Buffer =>
  splice(ask, {
    input: [...earlier, ...own],
    previous_response_id: undefined,
    conversation: undefined,
    background: undefined,
  })

/**
 * Removes reasoning items without encrypted content. No vendor can use them, and their ids cause an error
 * (https://platform.openai.com/docs/guides/reasoning). Returns whether there was one.
 */
export const dropBareThoughts = (body: Json): boolean => {
  if (!Array.isArray(body?.input)) return false
  const items = body.input.filter(
    (item: Json) => item?.type !== 'reasoning' || item.encrypted_content,
  )
  const hasDropped = items.length < body.input.length
  body.input = items
  return hasDropped
}

/** The output items, for use in the next input. */
export const outputItems = ({ output }: ResponseObject): ResponseItem[] =>
  Array.isArray(output) ? output : []

type UnfinishedResponse = { id: string; createdAt: number; previous: string | undefined }

/**
 * A response that is made in the background, before it has an output:
 * https://platform.openai.com/docs/guides/background
 */
export const unfinishedResponse = (
  { body, model }: Pick<ParsedRequest, 'body' | 'model'>,
  { id, createdAt, previous }: UnfinishedResponse,
): ResponseObject => ({
  ...withDefaults(JSON.parse(body.toString())),
  ...{ id, created_at: createdAt, status: 'in_progress', background: true, model, output: [] },
  ...{ previous_response_id: previous ?? null, store: true, usage: null },
})

export const isFinished = ({ status }: ResponseObject): boolean =>
  status !== 'queued' && status !== 'in_progress'

/** Ends a response without an output: by its caller, or by an error. */
export const endedResponse = (
  response: ResponseObject,
  end: { status: 'cancelled' } | { status: 'failed'; error: { code: string; message: string } },
): ResponseObject => ({ ...response, output: [], usage: null, ...end })

export type Closing = { response: ResponseObject; write(): Buffer }

const dataMark = '\ndata: '

/** Finds the response in a complete body or in the last frame of a stream. `write` returns the bytes after changes. */
export const readClosing = (last: Buffer, isStream: boolean): Closing | undefined => {
  const text = last.toString()
  const at = isStream ? text.lastIndexOf(dataMark) + dataMark.length : 0
  const frame = parse(text.slice(at))
  const response = isStream ? frame?.response : frame
  if (typeof response !== 'object' || response === null) return undefined
  const end = isStream ? '\n\n' : ''
  return { response, write: () => Buffer.from(text.slice(0, at) + JSON.stringify(frame) + end) }
}

const parse = (text: string): Json => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

export type ListQuery = {
  limit: number
  order: 'asc' | 'desc'
  after: string | undefined
  before: string | undefined
}

/** Returns one page of items like `GET /v1/responses/{id}/input_items`. */
export const listItems = (items: readonly ResponseItem[], query: ListQuery) => {
  const { limit, order, after, before } = query
  const all = order === 'asc' ? [...items] : items.toReversed()
  const from = after === undefined ? 0 : all.findIndex(({ id }) => id === after) + 1
  const end = before === undefined ? -1 : all.findIndex(({ id }) => id === before)
  const rest = all.slice(from, end === -1 ? all.length : end)
  const data = rest.slice(0, limit)
  return {
    object: 'list',
    data,
    first_id: data[0]?.id ?? null,
    last_id: data.at(-1)?.id ?? null,
    has_more: rest.length > data.length,
  }
}

/** Completes an item for listing: each has an id, and a message has a list of parts. */
export const listedItem = (item: Json, answerId: string, at: number): ResponseItem => {
  const type = item.type ?? (item.role ? 'message' : undefined)
  const id = item.id ?? defaultIdOf({ ...item, type }, `${answerId}_in`, at)
  if (type !== 'message') return { ...item, id }
  return { ...item, id, type, status: item.status ?? 'completed', content: contentOf(item) }
}

const contentOf = ({ role, content }: Json): Json => {
  if (typeof content !== 'string') return content
  return role === 'assistant'
    ? [{ type: 'output_text', text: content, annotations: [] }]
    : [{ type: 'input_text', text: content }]
}
