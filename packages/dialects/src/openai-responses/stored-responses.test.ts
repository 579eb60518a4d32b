import { expect, it } from 'vitest'
import type { ParsedRequest } from '../parsed-request.ts'
import { openaiResponses } from './index.ts'
import {
  dropBareThoughts,
  endedResponse,
  inputItems,
  isFinished,
  listedItem,
  listItems,
  outputItems,
  readClosing,
  unfinishedResponse,
  withEarlier,
} from './stored-responses.ts'

const askOf = (body: object): ParsedRequest => {
  const read = openaiResponses.read(Buffer.from(JSON.stringify(body)))
  if (!read.ok) throw new Error(read.hint)
  return read.parsed
}

it('puts what was said before in front of what is said now, and leaves every other byte', () => {
  const given = { type: 'message', role: 'user', content: 'Before.' }
  for (const input of ['Now.', [{ role: 'user', content: 'Now.' }], undefined]) {
    const ask = askOf({ model: 'm', input, odd: 1.5e1, previous_response_id: 'resp_1' })
    const own = inputItems(ask) ?? []
    const body = withEarlier(ask, [given], own)
    expect(JSON.parse(body.toString())).toEqual({
      model: 'm',
      input: [given, ...(input === undefined ? [] : [{ role: 'user', content: 'Now.' }])],
      odd: 15,
    })
    expect(askOf(JSON.parse(body.toString())).promptTokens).toBeGreaterThan(
      askOf({ model: 'm', input: input ?? [] }).promptTokens,
    )
  }
  expect(inputItems(askOf({ model: 'm', input: 5 }))).toBeUndefined()
})

it('an unfinished response repeats its request, and ends without an output', () => {
  const metadata = { purpose: 'test' }
  const request = { model: 'm', input: 'Hi.', instructions: 'Brief.', metadata, temperature: 0.5 }
  const fields = { id: 'resp_1', createdAt: 7, previous: undefined }
  const response = unfinishedResponse(askOf({ ...request, user: null }), fields)
  expect(response).toMatchObject({
    ...{ id: 'resp_1', object: 'response', created_at: 7, model: 'm', status: 'in_progress' },
    ...{ background: true, store: true, previous_response_id: null, output: [], usage: null },
    ...{ metadata, temperature: 0.5, user: null, error: null, instructions: 'Brief.' },
  })
  expect(response).not.toHaveProperty('input')
  expect(isFinished(response)).toBe(false)
  const answered = { ...response, output: [{ type: 'message' }], usage: { total_tokens: 1 } }
  const error = { code: 'server_error', message: 'No.' }
  for (const end of [{ status: 'cancelled' }, { status: 'failed', error }] as const) {
    expect(endedResponse(answered, end)).toEqual({ ...response, ...end })
    expect(isFinished(endedResponse(answered, end))).toBe(true)
  }
})

it('what was made is items of the next input, and a response without any has none', () => {
  const item = { type: 'message', role: 'assistant', content: [] }
  expect(outputItems({ output: [item] })).toEqual([item])
  expect(outputItems({})).toEqual([])
})

it('finds the response at the end of a stream or in a whole answer, and writes it back where it was', () => {
  const response = { id: 'resp_1', text: 'with\ndata: {"inside":1}\n\n' }
  const last = { type: 'response.completed', sequence_number: 7, response }
  const before =
    'event: response.output_item.done\ndata: {"type":"x"}\n\nevent: response.completed\ndata: '
  const stream = Buffer.from(`${before}${JSON.stringify(last)}\n\n`)
  const whole = Buffer.from(JSON.stringify(response))
  for (const [bytes, isStream] of [
    [stream, true],
    [whole, false],
  ] as const) {
    const closing = readClosing(bytes, isStream)
    expect(closing?.response).toEqual(response)
    expect(closing?.write()).toEqual(bytes)
    Object.assign(closing?.response ?? {}, { store: false })
    expect(closing?.write().toString()).toContain('"store":false')
  }
  expect(readClosing(Buffer.from('data: nothing\n\n'), true)).toBeUndefined()
  expect(readClosing(Buffer.from('event: x\ndata: {"type":"error"}\n\n'), true)).toBeUndefined()
  for (const none of ['[DONE', '7', 'null', '"x"'])
    expect(readClosing(Buffer.from(none), false)).toBeUndefined()
  for (const none of [null, 7, undefined])
    expect(
      readClosing(Buffer.from(`event: x\ndata: ${JSON.stringify({ response: none })}\n\n`), true),
    ).toBeUndefined()
})

it('drops thoughts that have only an id, and says so', () => {
  const bare = { type: 'reasoning', id: 'rs_1', summary: [] }
  const proven = { ...bare, encrypted_content: 'proof' }
  const body = { input: [bare, proven, { role: 'user', content: 'x' }] }
  expect(dropBareThoughts(body)).toBe(true)
  expect(body.input).toEqual([proven, { role: 'user', content: 'x' }])
  expect(dropBareThoughts(body)).toBe(false)
  expect(dropBareThoughts({ input: 'text' })).toBe(false)
  expect(dropBareThoughts(null)).toBe(false)
  const odd = { input: [null, { ...bare, encrypted_content: null }] }
  expect([dropBareThoughts(odd), odd.input]).toEqual([true, [null]])
})

it('lists items as the vendor does: newest first, page by page, from either side', () => {
  const items = ['a', 'b', 'c', 'd'].map(id => ({ id }))
  const list = (more: object = {}) => {
    const query = { limit: 20, order: 'desc' as const, after: undefined, before: undefined }
    const page = listItems(items, { ...query, ...more })
    return [page.data.map(each => each.id).join(''), page.has_more, page.first_id, page.last_id]
  }
  expect(list()).toEqual(['dcba', false, 'd', 'a'])
  expect(list({ order: 'asc', limit: 2 })).toEqual(['ab', true, 'a', 'b'])
  expect(list({ order: 'asc', limit: 2, after: 'b' })).toEqual(['cd', false, 'c', 'd'])
  expect(list({ after: 'c', before: 'a' })).toEqual(['b', false, 'b', 'b'])
  expect(list({ after: 'a' })).toEqual(['', false, null, null])
  expect(list({ after: 'nobody', limit: 1 })).toEqual(['d', true, 'd', 'd'])
  expect(list({ before: 'nobody' })).toEqual(['dcba', false, 'd', 'a'])
  expect(list({ before: 'd' })).toEqual(['', false, null, null])
  const query = { limit: 1, order: 'asc' as const, after: undefined, before: undefined }
  expect(listItems(items, query)).toStrictEqual({
    object: 'list',
    data: [{ id: 'a' }],
    first_id: 'a',
    last_id: 'a',
    has_more: true,
  })
  expect(items.map(each => each.id).join('')).toBe('abcd')
})

it('each listed item has an id of its own, and a message its parts', () => {
  expect(listedItem({ role: 'user', content: 'Hi.' }, 'resp_1', 0)).toEqual({
    id: 'msg_resp_1_in_0',
    type: 'message',
    role: 'user',
    status: 'completed',
    content: [{ type: 'input_text', text: 'Hi.' }],
  })
  expect(listedItem({ role: 'assistant', content: 'Ho.' }, 'resp_1', 1)).toMatchObject({
    content: [{ type: 'output_text', text: 'Ho.', annotations: [] }],
  })
  const output = { type: 'function_call_output', call_id: 'c', output: 'done' }
  expect(listedItem(output, 'resp_1', 2)).toEqual({ ...output, id: 'item_resp_1_in_2' })
  expect(listedItem({ ...output, id: 'mine' }, 'resp_1', 2)).toMatchObject({ id: 'mine' })
  expect(listedItem({ odd: 1 }, 'resp_1', 3)).toEqual({ odd: 1, id: 'item_resp_1_in_3' })
  const whole = {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    status: 'incomplete',
    content: [{ type: 'output_text', text: 'a' }],
  }
  expect(listedItem(whole, 'resp_1', 4)).toEqual(whole)
})
