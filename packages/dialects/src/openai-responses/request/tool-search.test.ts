import { describe, expect, it } from 'vitest'
import type { ChatAnswer, ChatEvent, ChatRequest } from '../../canon.ts'
import { dialectOf } from '../../index.ts'
import type { Json } from '../../json/json.ts'
import { openaiResponses } from '../index.ts'

const upstreams = ['openai-chat', 'anthropic', 'gemini', 'converse'] as const
type Upstream = (typeof upstreams)[number]

const read = (body: object): ChatRequest => {
  const result = openaiResponses.decodeRequest({ model: 'm', ...body })
  if (!result.ok) throw new Error(result.hint)
  return result.request
}

const sentTo = (id: Upstream, body: object) => {
  const { body: sent, warnings } = dialectOf(id).encodeRequest(
    openaiResponses.flattenTools!(read(body)),
  )
  return { sent: sent as Json, dropped: warnings.map(each => each.dropped) }
}

/** The names of the declared tools, with the schema of each. */
const toolsIn: Record<Upstream, (sent: Json) => [string, Json][]> = {
  'openai-chat': ({ tools = [] }) =>
    tools.map((each: Json) => [each.function.name, each.function.parameters]),
  anthropic: ({ tools = [] }) => tools.map((each: Json) => [each.name, each.input_schema]),
  gemini: ({ tools = [] }) =>
    (tools[0]?.functionDeclarations ?? []).map((each: Json) => [
      each.name,
      each.parametersJsonSchema ?? each.parameters,
    ]),
  converse: ({ toolConfig }) =>
    (toolConfig?.tools ?? []).map((each: Json) => [
      each.toolSpec.name,
      each.toolSpec.inputSchema.json,
    ]),
}
const namesOf = (id: Upstream, sent: Json) => toolsIn[id](sent).map(([name]) => name)

const schema = { type: 'object', properties: { id: { type: 'string' } } }
const deferred = (name: string) => ({
  ...{ type: 'function', name, description: `Does ${name}.`, parameters: schema },
  ...{ strict: false, defer_loading: true },
})
const parameters = {
  type: 'object',
  properties: { query: { type: 'string' }, limit: { type: 'number' } },
  required: ['query'],
}
const search = { type: 'tool_search', execution: 'client', description: 'Finds tools.', parameters }
const plain = { type: 'function', name: 'exec', parameters: schema, strict: false }

const call = {
  ...{ type: 'tool_search_call', call_id: 'call_s', execution: 'client', status: 'completed' },
  arguments: { query: 'calendar', limit: 2 },
}
const output = {
  ...{ type: 'tool_search_output', call_id: 'call_s', execution: 'client', status: 'completed' },
  tools: [
    deferred('wake'),
    { type: 'namespace', name: 'mcp__cal', description: 'Dates.', tools: [deferred('list')] },
  ],
}
const user = { type: 'message', role: 'user', content: 'Which dates have I?' }
const later = [
  { type: 'message', role: 'assistant', content: 'I see.' },
  { type: 'message', role: 'user', content: 'And tomorrow?' },
]

describe.each(upstreams)('a search that the caller executes, sent to %s', id => {
  it.each([
    ['with its parameters', search, parameters],
    [
      'with a query and a limit where it declares none',
      { type: 'tool_search', execution: 'client' },
      { required: ['query'], properties: { query: {}, limit: {} } },
    ],
  ])('is a function %s', (_, tool, expected) => {
    const { sent, dropped } = sentTo(id, { input: [user], tools: [tool, plain] })
    const [[name, declared], [other]] = toolsIn[id](sent) as [[string, Json], [string, Json]]
    expect([name, other]).toEqual(['tool_search', 'exec'])
    expect(JSON.parse(JSON.stringify(declared))).toMatchObject(expected)
    expect(dropped.filter(each => each.includes('tool_search'))).toEqual([])
  })

  it('leaves deferred tools undeclared until they are loaded', () => {
    const namespace = { type: 'namespace', name: 'n', tools: [deferred('a'), { ...plain }] }
    const tools = [search, deferred('wake'), namespace]
    expect(namesOf(id, sentTo(id, { input: [user], tools }).sent)).toEqual([
      'tool_search',
      'n__exec',
    ])
    const loaded = sentTo(id, { input: [user, call, output], tools })
    expect(namesOf(id, loaded.sent)).toContain('wake')
    expect(namesOf(id, loaded.sent)).not.toContain('n__a')
  })

  it.each([
    ['at once', []],
    ['and in later turns', later],
  ])(
    'sends call and output as a function and its result, and declares what it loaded %s',
    (_, more) => {
      const { sent, dropped } = sentTo(id, {
        input: [user, call, output, ...more],
        tools: [search],
      })
      expect(namesOf(id, sent)).toEqual(['tool_search', 'wake', 'mcp__cal__list'])
      expect(toolsIn[id](sent)[2]![1]).toMatchObject({ properties: { id: {} } })
      const text = JSON.stringify(sent)
      expect(text).toContain('calendar')
      // The result names the tools as they are declared.
      expect(text.replaceAll('\\', '')).toContain('{"name":"mcp__cal__list","description"')
      for (const name of ['tool_search', 'tool_search_call', 'tool_search_output', 'defer_loading'])
        expect(dropped).not.toContain(name)
      expect(text).not.toContain('defer_loading')
    },
  )

  it('declares what was loaded also where the request itself declares no tool', () => {
    const { sent } = sentTo(id, { input: [user, call, output] })
    expect(namesOf(id, sent)).toEqual(['wake', 'mcp__cal__list'])
  })

  it('keeps a function of that name apart from it', () => {
    const own = { ...plain, name: 'tool_search' }
    const { sent } = sentTo(id, { input: [user, call], tools: [search, own] })
    const names = namesOf(id, sent)
    expect(names).toEqual([expect.stringMatching(/^tool_search_\w{10}$/), 'tool_search'])
  })

  it.each([
    { type: 'tool_search' },
    { type: 'allowed_tools', mode: 'required', tools: [{ type: 'tool_search' }] },
  ])('may be chosen by %j', choice => {
    const { sent } = sentTo(id, { input: [user], tools: [search], tool_choice: choice })
    const { tool_choice, toolConfig } = sent
    const chosen = JSON.stringify(tool_choice ?? toolConfig?.toolChoice ?? toolConfig)
    expect(chosen).toMatch(/tool_search|any|required|ANY/)
  })

  it('is noted where the vendor executes it, and deferred tools are declared at once', () => {
    const { sent, dropped } = sentTo(id, {
      input: [user],
      tools: [{ type: 'tool_search' }, deferred('wake')],
    })
    expect(namesOf(id, sent)).toEqual(['wake'])
    expect(dropped).toContain(id === 'gemini' ? 'tool_search' : 'tools.tool_search')
    expect(dropped).toContain('defer_loading')
  })

  it('is left out with a note where a vendor executed it before', () => {
    const hosted = { call_id: null, execution: 'server', status: 'completed' }
    const { dropped } = sentTo(id, {
      input: [
        user,
        { type: 'tool_search_call', ...hosted, arguments: { paths: ['n'] } },
        { type: 'tool_search_output', ...hosted, tools: [deferred('wake')] },
        ...later,
      ],
      tools: [{ type: 'tool_search' }, deferred('wake')],
    })
    expect(dropped).toContain('tool_search_call')
    expect(dropped).toContain('tool_search_output')
  })
})

it('results of one turn are one message, in whichever order the calls were answered', () => {
  const other = { type: 'function_call', call_id: 'call_e', name: 'exec', arguments: '{}' }
  const result = { type: 'function_call_output', call_id: 'call_e', output: 'done' }
  for (const items of [
    [call, other, output, result],
    [call, other, result, output],
  ]) {
    const { sent } = sentTo('anthropic', { input: [user, ...items], tools: [search, plain] })
    expect(sent.messages.map((each: Json) => each.role)).toEqual(['user', 'assistant', 'user'])
    expect(sent.messages[2].content.map((each: Json) => each.tool_use_id).toSorted()).toEqual([
      'call_e',
      'call_s',
    ])
  }
})

/** The vendor's answer that calls the function, whole and in pieces. */
const answersOf: Record<Upstream, (input: string) => { whole: Json; frames: string[] }> = {
  'openai-chat': input => {
    const made = {
      id: 'call_1',
      type: 'function',
      function: { name: 'tool_search', arguments: input },
    }
    const head = { id: 'c', object: 'chat.completion', created: 1, model: 'm' }
    const chunk = (delta: Json, finish_reason: string | null = null) =>
      JSON.stringify({ ...head, choices: [{ index: 0, delta, finish_reason }] })
    const piece = (text: string) => ({ tool_calls: [{ index: 0, function: { arguments: text } }] })
    return {
      whole: {
        ...head,
        choices: [{ index: 0, message: { tool_calls: [made] }, finish_reason: 'tool_calls' }],
      },
      frames: [
        chunk({
          tool_calls: [{ index: 0, ...made, function: { name: 'tool_search', arguments: '' } }],
        }),
        chunk(piece(input.slice(0, 7))),
        chunk(piece(input.slice(7))),
        chunk({}, 'tool_calls'),
        '[DONE]',
      ],
    }
  },
  anthropic: input => {
    const block = { type: 'tool_use', id: 'call_1', name: 'tool_search' }
    const delta = (text: string) =>
      JSON.stringify({
        ...{ type: 'content_block_delta', index: 0 },
        delta: { type: 'input_json_delta', partial_json: text },
      })
    const message = { id: 'c', type: 'message', role: 'assistant', model: 'm', content: [] }
    return {
      whole: {
        ...message,
        content: [{ ...block, input: JSON.parse(input) }],
        stop_reason: 'tool_use',
      },
      frames: [
        JSON.stringify({ type: 'message_start', message }),
        JSON.stringify({
          ...{ type: 'content_block_start', index: 0 },
          content_block: { ...block, input: {} },
        }),
        delta(input.slice(0, 7)),
        delta(input.slice(7)),
        JSON.stringify({ type: 'content_block_stop', index: 0 }),
        JSON.stringify({ type: 'message_delta', delta: { stop_reason: 'tool_use' } }),
        JSON.stringify({ type: 'message_stop' }),
      ],
    }
  },
  gemini: input => {
    const functionCall = { id: 'call_1', name: 'tool_search', args: JSON.parse(input) }
    const whole = {
      responseId: 'c',
      modelVersion: 'm',
      candidates: [
        { index: 0, content: { role: 'model', parts: [{ functionCall }] }, finishReason: 'STOP' },
      ],
    }
    return { whole, frames: [JSON.stringify(whole)] }
  },
  converse: input => {
    const toolUse = { toolUseId: 'call_1', name: 'tool_search' }
    const event = (name: string, value: Json) => JSON.stringify({ [name]: value })
    const delta = (text: string) =>
      event('contentBlockDelta', { contentBlockIndex: 0, delta: { toolUse: { input: text } } })
    return {
      whole: {
        output: {
          message: {
            role: 'assistant',
            content: [{ toolUse: { ...toolUse, input: JSON.parse(input) } }],
          },
        },
        stopReason: 'tool_use',
      },
      frames: [
        event('messageStart', { role: 'assistant' }),
        event('contentBlockStart', { contentBlockIndex: 0, start: { toolUse } }),
        delta(input.slice(0, 7)),
        delta(input.slice(7)),
        event('contentBlockStop', { contentBlockIndex: 0 }),
        event('messageStop', { stopReason: 'tool_use' }),
      ],
    }
  },
}

const framesOf = (request: ChatRequest, events: readonly ChatEvent[]): Json[] => {
  const encoder = openaiResponses.encodeEvents({ request })
  const text = events.map(each => encoder.push(each)).join('')
  return [...text.matchAll(/^data: (.*)$/gm)].map(([, data]) => JSON.parse(data!))
}

const eventNameOf = (id: Upstream, data: string): string =>
  id === 'converse' ? Object.keys(JSON.parse(data))[0]! : ''

describe.each(upstreams)('the call of the function by %s', id => {
  const input = '{"query":"calendar","limit":2}'
  const request = read({ input: [user], tools: [search] })
  const expected = {
    ...{ type: 'tool_search_call', call_id: 'call_1', execution: 'client', status: 'completed' },
    arguments: { query: 'calendar', limit: 2 },
  }

  it('is an item with its arguments as an object in a whole response', () => {
    const answer = dialectOf(id).decodeAnswer(answersOf[id](input).whole)
    const { body } = openaiResponses.encodeResponse(answer, { request })
    expect(body).toMatchObject({ status: 'completed', output: [expected] })
  })

  it('is the same item in a stream, without events for the arguments', () => {
    const events: ChatEvent[] = []
    const decoder = dialectOf(id).decodeFrames(event => events.push(event))
    for (const frame of answersOf[id](input).frames)
      decoder.pushFrame(
        id === 'converse' ? JSON.stringify(Object.values(JSON.parse(frame))[0]) : frame,
        eventNameOf(id, frame),
      )
    decoder.end()
    const frames = framesOf(request, events)
    const [added, done] = frames.filter(each => each.item)
    expect(added).toMatchObject({
      type: 'response.output_item.added',
      item: { ...expected, status: 'in_progress', arguments: {} },
    })
    expect(done).toMatchObject({ type: 'response.output_item.done', item: expected })
    expect(frames.filter(each => /arguments|input/.test(each.type))).toEqual([])
    expect(frames.at(-1)!.response.output).toMatchObject([expected])
  })
})

it.each([
  ['', {}],
  ['{"query":', '{"query":'],
  ['"text"', 'text'],
])('the arguments %j are written as %j, and come back as they were', (input, written) => {
  const request = read({ input: [user], tools: [search] })
  const answer: ChatAnswer = {
    ...{ id: 'r', model: 'm' },
    choices: [{ parts: [{ type: 'tool-call', id: 'c', name: 'tool_search', input }] }],
  }
  const [item] = openaiResponses.encodeResponse(answer, { request }).body.output as Json[]
  expect(item!.arguments).toEqual(written)
})

it('a vendor of this dialect gets the items as they were', () => {
  const body = { input: [call, output], tools: [search, deferred('wake')] }
  const { body: written, warnings } = openaiResponses.encodeRequest(read(body))
  expect(warnings).toEqual([])
  expect(written).toMatchObject(body)
})
