import type { ParsedRequest } from '../parsed-request.ts'
import { splice } from '../json/splice.ts'
import type { Json } from '../json/json.ts'
import { itemsOf } from './request/messages.ts'
import { defaultIdOf } from './response.ts'

// What a vendor does with the answers that it keeps: https://platform.openai.com/docs/guides/conversation-state

/** As they came: a message, a call of a tool, what a tool answered. */
export type ResponseItem = Record<string, unknown>
export type ResponseObject = Record<string, unknown>

/** The call's own items; undefined: its `input` is none. */
export const inputItems = ({ body, fieldRanges }: Pick<ParsedRequest, 'body' | 'fieldRanges'>) => {
  const place = fieldRanges.get('input')
  const input: unknown = place && JSON.parse(body.toString('utf8', place.start, place.end))
  return itemsOf(input) as ResponseItem[] | undefined
}

/** The body of a call that goes on from nothing: what was said before stands in front of its own items. */
export const withEarlier = (
  ask: ParsedRequest,
  earlier: readonly ResponseItem[],
  own: readonly ResponseItem[],
): Buffer => splice(ask, { input: [...earlier, ...own], previous_response_id: undefined })

/**
 * A thought that no vendor keeps is nothing to one without its proof, and its id an error
 * (https://platform.openai.com/docs/guides/reasoning). Says whether there was one.
 */
export const dropBareThoughts = (body: Json): boolean => {
  if (!Array.isArray(body?.input)) return false
  const told = body.input.filter(
    (item: Json) => item?.type !== 'reasoning' || item.encrypted_content,
  )
  const hasDropped = told.length < body.input.length
  body.input = told
  return hasDropped
}

/** What was made, as items of the next input. */
export const outputItems = ({ output }: ResponseObject): ResponseItem[] =>
  Array.isArray(output) ? output : []

export type Closing = { response: ResponseObject; write(): Buffer }

const dataMark = '\ndata: '

/** The response in a whole answer, or in the last frame of its stream, and the same bytes with what was changed in it. */
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

/** One page of items, as `GET /v1/responses/{id}/input_items` lists them. */
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

/** An item as it is listed: each has an id, and a message its parts. */
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
