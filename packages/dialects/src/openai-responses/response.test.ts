import { expect, it } from 'vitest'
import type { ChatAnswer, ChatRequest, Finish, Part } from '../canon.ts'
import { noUsage } from '../usage.ts'
import { openaiResponses } from './index.ts'

// https://platform.openai.com/docs/api-reference/responses/object

const own = (fields: Record<string, unknown>) =>
  ({ unknownFields: { dialect: 'openai-responses', fields } }) as const
const strange = { unknownFields: { dialect: 'anthropic', fields: { container: 'c' } } } as const

const read = (body: unknown) => openaiResponses.decodeAnswer(body)
const write = (answer: Partial<ChatAnswer>, request?: Partial<ChatRequest>) => {
  const whole = { id: 'r', model: 'm', choices: [], ...answer }
  const params = request && { request: { model: 'm', messages: [], ...request } }
  const { body, warnings } = openaiResponses.encodeResponse(whole, params)
  return { body, dropped: warnings.map(each => each.dropped) }
}

const response = {
  id: 'r',
  object: 'response',
  created_at: 0,
  status: 'completed',
  background: false,
  completed_at: null,
  error: null,
  frequency_penalty: 0,
  incomplete_details: null,
  instructions: null,
  max_output_tokens: null,
  max_tool_calls: null,
  model: 'm',
  output: [],
  parallel_tool_calls: true,
  presence_penalty: 0,
  previous_response_id: null,
  prompt_cache_key: null,
  reasoning: { effort: null, summary: null },
  safety_identifier: null,
  store: false,
  temperature: 1,
  text: { format: { type: 'text' } },
  tool_choice: 'auto',
  tools: [],
  top_logprobs: 0,
  top_p: 1,
  truncation: 'disabled',
  usage: null,
  user: null,
  metadata: {},
}
const ended = { choices: [{ parts: [], finish: { reason: 'stop' as const } }] }

it('a response has every field that the vendor says it has, and those say nothing', () => {
  expect(write(ended)).toStrictEqual({ body: response, dropped: [] })
  expect(read(response)).toStrictEqual({ id: 'r', model: 'm', createdAt: 0, ...ended })
})

/** Fields that the vendor repeats from the request, and fields that it adds at the end. */
const repeated = {
  background: true,
  instructions: 'Be brief.',
  max_tool_calls: 3,
  previous_response_id: 'resp_0',
  conversation: { id: 'conv_1' },
  prompt: { id: 'pmpt_1' },
  prompt_cache_key: 'k',
  prompt_cache_retention: '24h',
  safety_identifier: 's',
  top_logprobs: 3,
  truncation: 'auto',
  presence_penalty: 1,
  frequency_penalty: 1,
  billing: { payer: 'developer' },
  completed_at: 9,
  max_output_tokens: 7,
  metadata: { a: 'b' },
  parallel_tool_calls: false,
  reasoning: { effort: 'low', summary: null },
  store: true,
  temperature: 0.7,
  text: { format: { type: 'text' }, verbosity: 'low' },
  tool_choice: 'none',
  tools: [{ type: 'web_search' }],
  top_p: 0.5,
  user: 'u',
}

it.each(Object.entries(repeated))(
  'a response that repeats its %s is told as it was',
  (key, value) => {
    const body = { ...response, [key]: value }
    const answer = read(body)
    expect(answer.unknownFields).toStrictEqual(own({ echo: { [key]: value } }).unknownFields)
    expect(write(answer)).toStrictEqual({ body, dropped: [] })
  },
)

it.each([
  ['object', 'response.compaction'],
  ['moderation', { flagged: true }],
])('what only this dialect knows of a response is kept: %s', (key, value) => {
  const body = { ...response, ...repeated, [key]: value }
  const answer = read(body)
  expect(answer.unknownFields).toStrictEqual(own({ [key]: value, echo: repeated }).unknownFields)
  expect(write(answer)).toStrictEqual({ body, dropped: [] })
})

it('when a response was made and on which tier is read where it is told', () => {
  const given = { id: 'r', model: 'm', created_at: 5, service_tier: 'flex', status: 'completed' }
  expect(read(given)).toStrictEqual({ id: 'r', model: 'm', createdAt: 5, tier: 'flex', ...ended })
  expect(write(read(given)).body).toMatchObject(given)
  const odd = { id: 7, model: null, created_at: 'today', service_tier: 'auto', output: 7 }
  expect(read(odd)).toStrictEqual({ id: '', model: '', ...ended })
  expect(read({ ...odd, service_tier: null })).not.toHaveProperty('tier')
  for (const none of [null, 'x']) expect(read(none)).toStrictEqual({ id: '', model: '', ...ended })
  const { body } = openaiResponses.encodeResponse(
    { id: 'r', model: 'm', ...ended },
    { createdAt: 6 },
  )
  expect(body.created_at).toBe(6)
})

const call: Part = { type: 'tool-call', id: 'c', name: 'f', input: '{}' }
const item = { type: 'function_call', id: 'fc_r_0', call_id: 'c', name: 'f', arguments: '{}' }

it.each<[object, Finish | undefined]>([
  [{ status: 'completed' }, { reason: 'stop' }],
  [
    { status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } },
    { reason: 'length' },
  ],
  [
    { status: 'incomplete', incomplete_details: { reason: 'content_filter' } },
    { reason: 'filter' },
  ],
  [
    { status: 'incomplete', incomplete_details: { reason: 'new' } },
    { reason: 'other', ...own({ status: 'incomplete', incomplete_details: { reason: 'new' } }) },
  ],
  [
    { status: 'incomplete', incomplete_details: null },
    { reason: 'other', ...own({ status: 'incomplete', incomplete_details: null }) },
  ],
  [
    { status: 'failed', error: { code: 'c', message: 'm' } },
    { reason: 'error', ...own({ status: 'failed', error: { code: 'c', message: 'm' } }) },
  ],
  [{ status: 'cancelled' }, { reason: 'other', ...own({ status: 'cancelled' }) }],
  [{ status: 'queued' }, undefined],
  [{ status: 'in_progress' }, undefined],
])('%j is how it ended, and is told again', (state, finish) => {
  const answer = read({ ...response, ...state })
  expect(answer.choices).toStrictEqual([{ parts: [], ...(finish ? { finish } : {}) }])
  expect(write(answer)).toStrictEqual({ body: { ...response, ...state }, dropped: [] })
})

it('an answer that has not ended goes on', () => {
  const going = { body: { ...response, status: 'in_progress' }, dropped: [] }
  const pending = { choices: [{ parts: [] }], ...own({ status: 'in_progress' }) }
  expect(write(pending)).toStrictEqual(going)
})

it('an answer with a call waits for tools, and what is no item is left out', () => {
  const answer = read({ id: 'r', model: 'm', output: [item, null, 7] })
  expect(answer.choices).toStrictEqual([{ parts: [call], finish: { reason: 'tools' } }])
})

it.each<[Finish, object, string[]]>([
  [{ reason: 'tools' }, { status: 'completed' }, []],
  [
    { reason: 'context-full' },
    { status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } },
    [],
  ],
  [
    { reason: 'error' },
    {
      status: 'failed',
      error: { code: 'server_error', message: 'The model ended with an error.' },
    },
    [],
  ],
  [{ reason: 'stop-sequence', sequence: 'x' }, { status: 'completed' }, ['stop_sequence']],
  [
    { reason: 'pause' },
    { status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } },
    [],
  ],
  [{ reason: 'other' }, { status: 'completed' }, ['finish other']],
  [{ reason: 'stop', ...strange }, { status: 'completed' }, ['container']],
])('%j of another dialect ends as %j', (finish, state, dropped) => {
  const result = write({ choices: [{ parts: [], finish }] })
  expect(result).toStrictEqual({ body: { ...response, ...state }, dropped })
})

it('other choices, and fields of other dialects, are noted', () => {
  const { finish } = ended.choices[0]!
  expect(write({ choices: [{ parts: [], finish, ...strange }] }).dropped).toEqual(['container'])
  expect(write({ ...ended, ...strange }).dropped).toEqual(['container'])
  expect(write({ choices: [...ended.choices, { parts: [] }] }).dropped).toEqual(['choices'])
})

const usage = {
  input_tokens: 3,
  input_tokens_details: { cached_tokens: 1 },
  output_tokens: 4,
  output_tokens_details: { reasoning_tokens: 2 },
  total_tokens: 7,
}
const counted = { ...noUsage(), input: 2, cacheRead: 1, output: 2, reasoning: 2 }

it('usage is told again word by word, or in the words of this dialect', () => {
  const odd = { ...usage, server_side_tools: 2 }
  const answer = read({ ...response, usage: odd })
  expect(answer.reportedUsage).toStrictEqual({ usage: counted, ...own(odd) })
  expect(write(answer).body.usage).toStrictEqual(odd)
  expect(write({ reportedUsage: { usage: counted, ...strange } }).body.usage).toStrictEqual(usage)
  expect(write({ reportedUsage: {} }).body.usage).toBeNull()
  const broken = { usage: { input_tokens: -1 }, output: [{ type: 'web_search_call' }] }
  expect(read(broken).reportedUsage).toStrictEqual({
    usage: 'broken',
    ...own({ input_tokens: -1 }),
  })
  expect(write({ reportedUsage: { usage: 'broken' } }).body.usage).toMatchObject({
    total_tokens: 0,
  })
  for (const none of [null, 7, undefined])
    expect(read({ usage: none })).not.toHaveProperty('reported')
})

it('what a provider sells by the call is counted: by its own figure, else by what it did', () => {
  const search = { type: 'web_search_call' }
  const toolsOf = (output: unknown, tool_usage?: object) => {
    const result = read({ usage, output, tool_usage }).reportedUsage?.usage
    return typeof result === 'object' ? result.tools : result
  }
  expect(toolsOf([search, { type: 'image_generation_call' }, search, item, null])).toStrictEqual({
    web_search: 2,
    image_generation: 1,
  })
  const image = { type: 'image_generation_call', quality: 'high', size: '1024x1536' }
  expect(toolsOf([image, image])).toStrictEqual({ 'image_generation:high-1024x1536': 2 })
  for (const num_requests of [1, 3])
    expect(toolsOf([search, search], { web_search: { num_requests } })).toStrictEqual({
      web_search: num_requests,
    })
  for (const none of [
    {},
    { web_search: { num_requests: 'x' } },
    { web_search: { num_requests: -1 } },
  ])
    expect(toolsOf([search], none)).toStrictEqual({ web_search: 1 })
  expect(toolsOf({})).toStrictEqual({})
})

it('a response repeats what was asked for, in the words of this dialect', () => {
  const { billing, completed_at, ...params } = repeated
  const { instructions, prompt_cache_key, safety_identifier, ...unknown } = params
  const { body, dropped } = write(ended, {
    messages: [{ role: 'system', parts: [{ type: 'text', text: instructions }] }],
    outputMax: 7,
    parallelTools: false,
    temperature: 0.7,
    topP: 0.5,
    logprobs: { top: 3 },
    metadata: { a: 'b' },
    user: 'u',
    safetyId: safety_identifier,
    cacheKey: prompt_cache_key,
    cacheRetention: '24h',
    tier: 'flex',
    store: true,
    tools: [
      { type: 'function', name: 'f' },
      { type: 'opaque', dialect: 'anthropic', value: { type: 'x' } },
    ],
    toolChoice: { type: 'tool', name: 'f' },
    reasoning: { effort: 'low' },
    format: { type: 'schema', schema: {}, name: 'n' },
    verbosity: 'low',
    ...own({ ...unknown, include: ['x'], new: 1 }),
  })
  expect({ body, dropped }).toStrictEqual({
    body: {
      ...response,
      ...params,
      service_tier: 'flex',
      tools: [
        {
          type: 'function',
          name: 'f',
          description: null,
          parameters: { type: 'object', properties: {} },
          strict: false,
        },
      ],
      tool_choice: { type: 'function', name: 'f' },
      text: {
        format: { type: 'json_schema', name: 'n', schema: {}, description: null, strict: false },
        verbosity: 'low',
      },
    },
    dropped: [],
  })
})

it.each([
  ['of the vendor is kept', {}, 9, 9],
  ['is the time at which a stream ends', { createdAt: 3, now: () => 5 }, null, 5],
  ['is the time of a whole answer', { createdAt: 3 }, null, 3],
  ['is unknown without a clock', {}, null, null],
] as const)('the time of completion %s', (_, options, completed_at, expected) => {
  const decoded = openaiResponses.decodeAnswer({ ...response, completed_at })
  expect(openaiResponses.encodeResponse(decoded, options).body.completed_at).toBe(expected)
})

it('an unfinished response has no time of completion', () => {
  const decoded = openaiResponses.decodeAnswer({ ...response, status: 'in_progress' })
  expect(openaiResponses.encodeResponse(decoded, { createdAt: 3 }).body.completed_at).toBeNull()
})

it.each([
  [{ reasoning: { summary: 'auto' } }, { reasoning: { effort: null, summary: 'auto' } }],
  [{ reasoning: {} }, { reasoning: { effort: null, summary: null } }],
  [{ verbosity: 'high' }, { text: { format: { type: 'text' }, verbosity: 'high' } }],
  [{ format: { type: 'json' } }, { text: { format: { type: 'json_object' } } }],
  [{}, {}],
] as const)('of %j a response says %j', (request, result) => {
  expect(write(ended, request).body).toStrictEqual({
    ...response,
    service_tier: 'default',
    ...result,
  })
})
