import { expect, it } from 'vitest'
import type { ChatRequest } from '../../canon.ts'
import type { EncodeRequestOptions } from '../../dialect.ts'
import { openaiResponses } from '../index.ts'

// https://platform.openai.com/docs/api-reference/responses/create

const read = (body: unknown): ChatRequest => {
  const result = openaiResponses.decodeRequest(body)
  if (!result.ok) throw new Error(result.hint)
  return result.request
}
const write = (request: Partial<ChatRequest>, aim?: EncodeRequestOptions) => {
  const { body, warnings } = openaiResponses.encodeRequest(
    { model: 'm', messages: [], ...request },
    aim,
  )
  return { body, dropped: warnings.map(each => each.dropped) }
}
const own = (fields: Record<string, unknown>) =>
  ({ unknownFields: { dialect: 'openai-responses', fields } }) as const

const params = {
  model: 'gpt-5',
  instructions: 'Be brief.',
  input: [{ type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Hi.' }] }],
  stream: true,
  max_output_tokens: 900,
  temperature: 0.5,
  top_p: 0.9,
  tools: [{ type: 'web_search' }],
  tool_choice: 'required',
  parallel_tool_calls: false,
  top_logprobs: 3,
  include: ['file_search_call.results', 'message.output_text.logprobs'],
  text: { format: { type: 'json_object' }, verbosity: 'low', odd: 1 },
  reasoning: { effort: 'low', summary: 'auto', odd: 2 },
  metadata: { a: 'b' },
  user: 'u',
  safety_identifier: 's',
  service_tier: 'flex',
  store: false,
  prompt_cache_key: 'k',
  prompt_cache_retention: '24h',
  background: true,
}
const meant: ChatRequest = {
  model: 'gpt-5',
  messages: [
    { role: 'system', parts: [{ type: 'text', text: 'Be brief.' }] },
    { role: 'user', parts: [{ type: 'text', text: 'Hi.' }] },
  ],
  stream: true,
  outputMax: 900,
  temperature: 0.5,
  topP: 0.9,
  tools: [{ type: 'opaque', dialect: 'openai-responses', value: { type: 'web_search' } }],
  toolChoice: { type: 'required' },
  parallelTools: false,
  logprobs: { top: 3 },
  format: { type: 'json' },
  verbosity: 'low',
  reasoning: { effort: 'low', summary: 'auto', ...own({ odd: 2 }) },
  metadata: { a: 'b' },
  user: 'u',
  safetyId: 's',
  tier: 'flex',
  store: false,
  cacheKey: 'k',
  cacheRetention: '24h',
  ...own({ include: ['file_search_call.results'], text: { odd: 1 }, background: true }),
}

it('every field of a request is read, and written as it stood', () => {
  expect(read(params)).toStrictEqual(meant)
  expect(openaiResponses.encodeRequest(meant)).toStrictEqual({ body: params, warnings: [] })
})

it('a field that is null says nothing, and nothing is written for what was not said', () => {
  const nulls = Object.fromEntries(Object.keys(params).map(key => [key, null]))
  const { background, ...known } = nulls
  expect(read({ ...known, model: 'm' })).toStrictEqual({ model: 'm', messages: [] })
  expect(read({ model: 'm', text: {}, include: [] })).toStrictEqual({ model: 'm', messages: [] })
  expect(read({ model: 'm', reasoning: { effort: null, summary: null } })).toStrictEqual({
    model: 'm',
    messages: [],
    reasoning: {},
  })
  expect(write({})).toStrictEqual({ body: { model: 'm', input: [] }, dropped: [] })
})

it.each([
  [{ include: ['message.output_text.logprobs'] }, { logprobs: {} }],
  [{ top_logprobs: 0 }, { logprobs: { top: 0 } }],
  [{ include: ['x'] }, own({ include: ['x'] })],
  [{ include: 'x' }, {}],
  [{ text: { format: { type: 'grammar' } } }, own({ text: { format: { type: 'grammar' } } })],
  [{ text: { format: { type: 'text' } } }, { format: { type: 'text' } }],
  [{ tools: 'x' }, {}],
] as const)('%j is read as %j', (body, request) => {
  expect(read({ model: 'm', ...body })).toStrictEqual({ model: 'm', messages: [], ...request })
})

it.each([
  [null, 'A JSON object is expected.'],
  [7, 'A JSON object is expected.'],
  [[], 'A JSON object is expected.'],
  [{ input: 'x' }, "'model' must be the name of a model."],
  [{ model: 'm', input: 7 }, "'input' must be a text or a list."],
  [{ model: 'm', input: [null] }, "'input' must be a text or a list."],
  [{ model: 'm', input: ['x'] }, "'input' must be a text or a list."],
])('%j is no request', (body, hint) => {
  expect(openaiResponses.decodeRequest(body)).toStrictEqual({ ok: false, reason: 'invalid', hint })
})

it.each([
  ['stop', { stop: ['x'] }],
  ['seed', { seed: 0 }],
  ['top_k', { topK: 1 }],
  ['presence_penalty', { presencePenalty: 0 }],
  ['frequency_penalty', { frequencyPenalty: 0 }],
  ['audio', { audio: {} }],
  ['modalities', { modalities: ['text', 'audio'] }],
  ['cache_control', { cache: {} }],
  ['n', { n: 2 }],
  ['container', { unknownFields: { dialect: 'anthropic', fields: { container: 'c' } } }],
] as const)('%s cannot be said, which is noted', (name, request) => {
  expect(write(request as Partial<ChatRequest>)).toStrictEqual({
    body: { model: 'm', input: [] },
    dropped: [name],
  })
})

it('one answer in words is what everyone gets: to ask for it is no loss', () => {
  expect(write({ n: 1, modalities: ['text'] }).dropped).toEqual([])
})

it('fields of another dialect go on where the operator lets them', () => {
  const unknownFields = { dialect: 'openai-chat', fields: { repetition_penalty: 2 } } as const
  expect(write({ unknownFields }, { keepUnknownFields: true })).toMatchObject({
    body: { repetition_penalty: 2 },
    dropped: [],
  })
  const refused = write({ unknownFields }, { keepUnknownFields: false })
  expect(refused.body).not.toHaveProperty('repetition_penalty')
  expect(refused.dropped).toEqual(['repetition_penalty'])
  const mine = write(own({ include: ['x'], text: { odd: 1 } }), { keepUnknownFields: true })
  expect(mine.body).toMatchObject({ include: ['x'], text: { odd: 1 } })
})

it.each([
  [{ budget: 1 }, { effort: 'low' }, ['reasoning.budget']],
  [{ budget: 4_096 }, { effort: 'low' }, ['reasoning.budget']],
  [{ budget: 4_097 }, { effort: 'medium' }, ['reasoning.budget']],
  [{ budget: 16_384 }, { effort: 'medium' }, ['reasoning.budget']],
  [{ budget: 16_385 }, { effort: 'high' }, ['reasoning.budget']],
  [{ budget: 0 }, { effort: 'none' }, []],
  [{ budget: -1 }, {}, []],
  [{ mode: 'enabled' }, {}, []],
  [{ mode: 'disabled' }, { effort: 'none' }, []],
  [{ summary: 'none' }, {}, []],
  [{ summary: 'detailed' }, { summary: 'detailed' }, []],
  [{ unknownFields: { dialect: 'gemini', fields: { x: 1 } } }, {}, ['x']],
  [own({ x: 1 }), { x: 1 }, []],
] as const)('thinking as %j is asked for as %j', (reasoning, result, dropped) => {
  const written = write({ reasoning })
  expect([written.body.reasoning, written.dropped]).toStrictEqual([result, dropped])
})

// https://platform.openai.com/docs/guides/reasoning: without `store`, thoughts come only where they are asked for.
const proofs = ['reasoning.encrypted_content']
it.each([
  ['thinking that is wanted', { reasoning: { effort: 'low' } }, {}, proofs],
  ['what was asked for already', { reasoning: {}, ...own({ include: proofs }) }, {}, proofs],
  ['something else', { reasoning: {}, ...own({ include: ['x'] }) }, {}, ['x', ...proofs]],
  ['thinking that is not wanted', { reasoning: { mode: 'disabled' } }, {}, undefined],
  ['no word of thinking', {}, {}, undefined],
  ['a caller of this dialect', { reasoning: { effort: 'low' } }, undefined, undefined],
  ['probabilities', { logprobs: {} }, undefined, ['message.output_text.logprobs']],
] as const)('the thoughts of an answer are asked for: %s', (_, request, aim, include) => {
  const { body } = write(request as Partial<ChatRequest>, aim)
  expect(body.include).toStrictEqual(include)
})

it('an answer is not kept for a caller of another dialect, unless it says so', () => {
  expect(write({}, {}).body.store).toBe(false)
  expect(write({ store: true }, {}).body.store).toBe(true)
  expect(write({}).body).not.toHaveProperty('store')
})

// https://platform.openai.com/docs/api-reference/responses/input-tokens
it('counting takes what a request takes, and its figure is a whole number from zero', () => {
  const { tokenCounting: counting } = openaiResponses
  if (!counting) throw new Error('counting')
  expect(counting.decodeRequest(params)).toStrictEqual({ ok: true, request: meant })
  expect(counting.encodeRequest(meant).body).toStrictEqual(params)
  expect(counting.encodeResponse(7)).toStrictEqual({
    object: 'response.input_tokens',
    input_tokens: 7,
  })
  expect(counting.decodeAnswer({ input_tokens: 0 })).toBe(0)
  for (const none of [null, {}, { input_tokens: -1 }, { input_tokens: 1.5 }])
    expect(counting.decodeAnswer(none)).toBeUndefined()
})
