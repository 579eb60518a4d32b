import { describe, expect, it } from 'vitest'
import { anthropic } from './anthropic/index.ts'
import { type ChatEvent, decodeSignature, encodeSignature } from './canon.ts'
import { answerEvents, collectAnswer } from './collect.ts'
import type { Dialect, EncodeRequestOptions } from './dialect.ts'
import { decodeStream, encodeStream } from './generate/streams.ts'
import type { Json } from './json/json.ts'
import { openaiChat } from './openai-chat/index.ts'

/** A request of one dialect in the words of another. */
const ask = (
  from: Dialect,
  to: Dialect,
  body: object,
  aim?: EncodeRequestOptions,
): { body: Json; warnings: string[] } => {
  const read = from.decodeRequest(body)
  if (!read.ok) throw new Error(read.hint)
  const { body: written, warnings } = to.encodeRequest(read.request, aim)
  return { body: written, warnings: warnings.map(each => each.dropped) }
}
const toAnthropic = (body: object, aim?: EncodeRequestOptions) =>
  ask(openaiChat, anthropic, { model: 'claude-sonnet-4-5', messages: [user('hi')], ...body }, aim)
const toChat = (body: object) =>
  ask(anthropic, openaiChat, { model: 'gpt-4o', max_tokens: 9, messages: [user('hi')], ...body })

const user = (content: unknown) => ({ role: 'user', content })
const call = (id: string, name: string, input: string) => ({
  id,
  type: 'function',
  function: { name, arguments: input },
})

describe('a chat request told to anthropic', () => {
  it('system messages lead, several results of tools are one message, and an image is its bytes', () => {
    const { body, warnings } = toAnthropic({
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'developer', content: 'Use tools.' },
        user([
          { type: 'text', text: 'What is this?' },
          { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } },
          { type: 'image_url', image_url: { url: 'https://media.example/a.png' } },
        ]),
        {
          role: 'assistant',
          content: null,
          tool_calls: [call('a', 'look', '{"x":1}'), call('b', 'look', '')],
        },
        { role: 'tool', tool_call_id: 'a', content: 'one' },
        { role: 'tool', tool_call_id: 'b', content: 'two' },
        user('And?'),
      ],
      max_tokens: 100,
      stop: 'END',
      user: 'u1',
    })
    expect(body).toEqual({
      model: 'claude-sonnet-4-5',
      max_tokens: 100,
      system: [
        { type: 'text', text: 'Be brief.' },
        { type: 'text', text: 'Use tools.' },
      ],
      messages: [
        user([
          { type: 'text', text: 'What is this?' },
          { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } },
          { type: 'image', source: { type: 'url', url: 'https://media.example/a.png' } },
        ]),
        {
          role: 'assistant',
          content: [
            { type: 'tool_use', id: 'a', name: 'look', input: { x: 1 } },
            { type: 'tool_use', id: 'b', name: 'look', input: {} },
          ],
        },
        user([
          { type: 'tool_result', tool_use_id: 'a', content: 'one' },
          { type: 'tool_result', tool_use_id: 'b', content: 'two' },
          { type: 'text', text: 'And?' },
        ]),
      ],
      stop_sequences: ['END'],
      metadata: { user_id: 'u1' },
    })
    expect(warnings).toEqual([])
  })

  it('says what it cannot say, by name', () => {
    const { warnings } = toAnthropic({
      seed: 1,
      n: 2,
      logit_bias: { 1: 1 },
      logprobs: true,
      temperature: 1.5,
      presence_penalty: 1,
      frequency_penalty: 1,
      verbosity: 'low',
      store: true,
      metadata: { a: 'b' },
      prompt_cache_key: 'k',
      response_format: { type: 'json_object' },
      web_search_options: {},
      tools: [{ type: 'x_tool' }],
      stream_options: { include_usage: true, include_obfuscation: false },
    })
    expect(warnings.toSorted()).toEqual(
      [
        ...['seed', 'n', 'logit_bias', 'logprobs', 'temperature above 1', 'presencePenalty'],
        ...['frequencyPenalty', 'verbosity', 'store', 'metadata', 'cacheKey', 'tools.x_tool'],
        ...['response_format json_object', 'web_search_options', 'stream_options'],
      ].toSorted(),
    )
  })

  it('fields that only the caller knows go on where the operator lets them', () => {
    const { body, warnings } = toAnthropic({ container: 'c', seed: 1 }, { keepUnknownFields: true })
    expect([body.container, warnings]).toEqual(['c', ['seed']])
  })

  it('tools, their choice, a schema and a mark for the cache are the same', () => {
    const schema = { type: 'object', properties: {}, additionalProperties: false }
    const { body, warnings } = toAnthropic({
      messages: [
        user([{ type: 'text', text: 'x', cache_control: { type: 'ephemeral', ttl: '1h' } }]),
      ],
      tools: [
        { type: 'function', function: { name: 'f', parameters: schema, strict: true } },
        { type: 'custom', custom: { name: 'patch', description: 'd' } },
      ],
      tool_choice: 'required',
      parallel_tool_calls: false,
      response_format: { type: 'json_schema', json_schema: { name: 'n', schema } },
    })
    expect(body).toMatchObject({
      messages: [
        user([{ type: 'text', text: 'x', cache_control: { type: 'ephemeral', ttl: '1h' } }]),
      ],
      tools: [
        { name: 'f', input_schema: schema, strict: true },
        { name: 'patch', description: 'd', input_schema: { required: ['input'] } },
      ],
      tool_choice: { type: 'any', disable_parallel_tool_use: true },
      output_config: { format: { type: 'json_schema', schema } },
    })
    expect(warnings).toEqual([])
  })

  it('allowed tools are the tools', () => {
    const tools = ['a', 'b'].map(name => ({ type: 'function', function: { name } }))
    const { body } = toAnthropic({
      tools,
      tool_choice: { type: 'allowed_tools', allowed_tools: { mode: 'auto', tools: [tools[1]] } },
    })
    expect(body.tools).toEqual([{ name: 'b', input_schema: { type: 'object' } }])
    expect(body.tool_choice).toEqual({ type: 'auto' })
  })

  it.each([
    ['claude-sonnet-4-5', { reasoning_effort: 'low', max_tokens: 10_000 }, 2_000, 10_000],
    ['claude-sonnet-4-5', { reasoning_effort: 'medium', max_tokens: 10_000 }, 5_000, 10_000],
    ['claude-opus-4-1', { reasoning_effort: 'high', max_tokens: 10_000 }, 8_000, 10_000],
    ['claude-sonnet-4-5', { reasoning: { max_tokens: 3_000 }, max_tokens: 9_000 }, 3_000, 9_000],
    ['claude-sonnet-4-5', { reasoning_effort: 'low', max_tokens: 500 }, 1_024, 1_280],
    [
      'claude-3-7-sonnet-20250219',
      { reasoning: { enabled: true }, max_tokens: 9_000 },
      4_500,
      9_000,
    ],
  ])('%s with %o thinks with %i of %i tokens', (model, body, budget, limit) => {
    const encoded = toAnthropic({ model, ...body }, { thinkingBudgetShare: 0.5 }).body
    expect(encoded.thinking).toEqual({ type: 'enabled', budget_tokens: budget })
    expect(encoded.max_tokens).toBe(limit)
  })

  it('the newest models think as they find right, with an effort, and without samplers', () => {
    const { body, warnings } = toAnthropic({
      model: 'anthropic.claude-opus-4-7-v1:0',
      reasoning_effort: 'xhigh',
      temperature: 0.2,
      top_p: 0.9,
    })
    expect(body).toMatchObject({
      thinking: { type: 'adaptive', display: 'summarized' },
      output_config: { effort: 'xhigh' },
    })
    expect(body).not.toHaveProperty('temperature')
    expect(warnings.toSorted()).toEqual(['temperature', 'top_p'])
  })

  it('does not ask for thoughts where the vendor would refuse them', () => {
    const tools = [{ type: 'function', function: { name: 'f' } }]
    const forced = toAnthropic({ reasoning_effort: 'low', tools, tool_choice: 'required' })
    expect(forced.body).not.toHaveProperty('thinking')
    expect(forced.warnings).toEqual(['reasoning (tool_choice)'])
    const underWay = toAnthropic({
      reasoning_effort: 'low',
      tools,
      messages: [
        user('x'),
        { role: 'assistant', tool_calls: [call('a', 'f', '{}')] },
        { role: 'tool', tool_call_id: 'a', content: '1' },
      ],
    })
    expect(underWay.warnings).toEqual(['reasoning (no signed thoughts)'])
  })

  it('the limit is the caller’s, the model’s, or the operator’s default', () => {
    const aim = { defaultOutputMax: { default: 11, 'claude-x': 22 } }
    expect(toAnthropic({}, aim).body.max_tokens).toBe(11)
    expect(toAnthropic({ model: 'claude-x' }, aim).body.max_tokens).toBe(22)
    expect(toAnthropic({ max_completion_tokens: 33 }, aim).body.max_tokens).toBe(33)
    expect(toAnthropic({}).body.max_tokens).toBe(8_192)
  })

  it('instructions behind the last turn stay behind it', () => {
    const { body } = toAnthropic({
      messages: [user('a'), { role: 'assistant', content: 'b' }, { role: 'system', content: 'c' }],
    })
    expect(body.messages.at(-1)).toEqual(user('c'))
  })
})

describe('an anthropic request told to chat', () => {
  it('results stand alone before what the caller says, and what they show follows them', () => {
    const { body, warnings } = toChat({
      system: [{ type: 'text', text: 's', cache_control: { type: 'ephemeral' } }],
      messages: [
        user('x'),
        {
          role: 'assistant',
          content: [
            { type: 'thinking', thinking: 'hm', signature: 'c2ln' },
            { type: 'text', text: 'I look.' },
            { type: 'tool_use', id: 'a', name: 'f', input: { q: 'é' } },
          ],
        },
        user([
          {
            type: 'tool_result',
            tool_use_id: 'a',
            is_error: true,
            content: [
              { type: 'text', text: 'seen' },
              { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } },
            ],
          },
          { type: 'text', text: 'Go on.' },
        ]),
      ],
      tools: [
        { name: 'f', input_schema: { type: 'object' } },
        { type: 'web_search_20250305', name: 'w' },
      ],
      tool_choice: { type: 'tool', name: 'f', disable_parallel_tool_use: true },
      thinking: { type: 'enabled', budget_tokens: 5_000 },
      top_k: 5,
      stream: true,
    })
    expect(body).toEqual({
      model: 'gpt-4o',
      max_tokens: 9,
      messages: [
        { role: 'system', content: 's' },
        user('x'),
        {
          role: 'assistant',
          content: 'I look.',
          reasoning_content: 'hm',
          reasoning_details: [
            {
              type: 'reasoning.text',
              text: 'hm',
              signature: 'c2ln',
              format: 'anthropic-claude-v1',
              index: 0,
            },
          ],
          tool_calls: [call('a', 'f', '{"q":"é"}')],
        },
        { role: 'tool', tool_call_id: 'a', content: 'seen' },
        user([
          { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } },
          { type: 'text', text: 'Go on.' },
        ]),
      ],
      tools: [{ type: 'function', function: { name: 'f', parameters: { type: 'object' } } }],
      tool_choice: { type: 'function', function: { name: 'f' } },
      parallel_tool_calls: false,
      reasoning_effort: 'medium',
      stream: true,
      stream_options: { include_usage: true },
    })
    expect(warnings.toSorted()).toEqual([
      'cache_control',
      'reasoning.budget',
      'tool-result.failed',
      'tools.web_search_20250305',
      'top_k',
    ])
  })

  it('newer models get their own name of the limit', () => {
    const { body } = toChat({ model: 'gpt-5.1' })
    expect(body).toMatchObject({ max_completion_tokens: 9 })
    expect(body).not.toHaveProperty('max_tokens')
  })
})

describe('what only one vendor can check comes back to it byte for byte', () => {
  const signatureText = 'EqQBCgIYAhIM+/==/x'

  it('through a caller of chat', () => {
    const upstream = {
      id: 'msg_1',
      type: 'message',
      model: 'claude-x',
      content: [
        { type: 'thinking', thinking: 'a', signature: signatureText },
        { type: 'redacted_thinking', data: `${signatureText}2` },
        { type: 'text', text: 'b' },
        { type: 'tool_use', id: 't', name: 'f', input: {} },
      ],
      stop_reason: 'tool_use',
    }
    const { body } = openaiChat.encodeResponse(anthropic.decodeAnswer(upstream))
    const [choice] = body.choices as Json
    const { message } = JSON.parse(JSON.stringify(choice))
    const back = toAnthropic({ messages: [user('x'), message] })
    expect(back.body.messages[1].content).toEqual(upstream.content)
  })

  it('and through a caller of anthropic, from three other vendors', () => {
    const signature = (by: 'gemini' | 'openai-responses') => ({ dialect: by, text: signatureText })
    const parts = [
      { type: 'thinking' as const, text: 'a', signature: signature('openai-responses') },
      { type: 'text' as const, text: 'b', signature: signature('gemini') },
      {
        type: 'tool-call' as const,
        id: 't',
        name: 'f',
        input: '{}',
        signature: signature('gemini'),
      },
    ]
    const answer = { id: 'i', model: 'm', choices: [{ parts }] }
    const { body } = anthropic.encodeResponse(answer)
    const read = anthropic.decodeRequest({
      model: 'm',
      messages: [{ role: 'assistant', content: body.content }],
    })
    expect(read.ok && read.request.messages[0]?.parts).toEqual(parts)
    // In a stream the proof of a text may come behind it.
    const events = [
      ...answerEvents({ ...answer, choices: [{ parts: [{ type: 'text', text: 'b' }] }] }),
    ]
    events.splice(2, 0, { type: 'signature', index: 0, signature: signature('gemini') })
    const encoded = decodeStream(anthropic, [encodeStream(anthropic, events)]).answer
    const again = anthropic.decodeRequest({
      model: 'm',
      messages: [{ role: 'assistant', content: anthropic.encodeResponse(encoded).body.content }],
    })
    expect(again.ok && again.request.messages[0]?.parts).toEqual([parts[1]])
  })
})

describe('streams', () => {
  const chunk = (delta: object, more: object = {}) =>
    `data: ${JSON.stringify({ id: 'c', model: 'm', choices: [{ index: 0, delta, ...more }] })}\n\n`
  const piece = (index: number, text: string, id?: string) =>
    chunk({
      tool_calls: [
        {
          index,
          ...(id ? { id } : {}),
          function: { ...(id ? { name: 'f' } : {}), arguments: text },
        },
      ],
    })

  it('calls whose pieces come in turns are told one after the other', () => {
    const payload = [
      ...[
        piece(0, '', 'a'),
        piece(1, '', 'b'),
        piece(0, '{"x"'),
        piece(1, '{"y":'),
        piece(0, ':1}'),
      ],
      ...[piece(1, '2}'), piece(2, '{}', 'c'), chunk({}, { finish_reason: 'tool_calls' })],
    ]
    const decoded = decodeStream(openaiChat, [Buffer.from(`${payload.join('')}data: [DONE]\n\n`)])
    const encoded = String(encodeStream(anthropic, decoded.events))
    const blocks = [...encoded.matchAll(/"type":"(content_block_\w+)","index":(\d)/g)]
    expect(blocks.map(([, type, index]) => `${type?.slice(14)} ${index}`)).toEqual([
      ...['start 0', 'delta 0', 'delta 0', 'stop 0', 'start 1', 'delta 1', 'delta 1', 'stop 1'],
      ...['start 2', 'delta 2', 'stop 2'],
    ])
    const read = decodeStream(anthropic, [Buffer.from(encoded)]).answer.choices[0]
    expect(read?.parts).toMatchObject([
      { id: 'a', input: '{"x":1}' },
      { id: 'b', input: '{"y":2}' },
      { id: 'c', input: '{}' },
    ])
    expect(read?.finish?.reason).toBe('tools')
  })

  it('a vendor that numbers all its calls 0 has as many as it names', () => {
    const payload = [
      piece(0, '{"x":1}', 'a'),
      piece(0, '{"x":2}', 'b'),
      chunk({}, { finish_reason: 'stop' }),
    ]
    const { answer } = decodeStream(openaiChat, [Buffer.from(payload.join(''))])
    expect(answer.choices[0]).toMatchObject({
      parts: [
        { id: 'a', input: '{"x":1}' },
        { id: 'b', input: '{"x":2}' },
      ],
      finish: { reason: 'tools' },
    })
  })

  it.each([openaiChat, anthropic])(
    '$id: a stream that breaks says so, and what was used',
    dialect => {
      const events: ChatEvent[] = [
        { type: 'start', id: 'i', model: 'm' },
        { type: 'part', index: 0, part: { type: 'text', text: 'half' } },
      ]
      const half = encodeStream(dialect, events)
      const decoded = decodeStream(dialect, [half])
      expect(decoded.last).toBe('failure')
      for (const other of [openaiChat, anthropic]) {
        const encoded = encodeStream(other, decoded.events)
        expect(String(encoded)).toMatch(/"error":\{/)
        expect(decodeStream(other, [encoded]).last).toBe('failure')
      }
    },
  )

  it.each([openaiChat, anthropic])(
    '$id: ends whatever was said before, and says nothing after',
    dialect => {
      const encoder = dialect.encodeEvents({ wantsUsage: true })
      const encoded = encoder.push({ type: 'end' })
      expect(encoded).toContain(dialect === anthropic ? 'message_stop' : '[DONE]')
      expect(encoder.push({ type: 'part', index: 0, part: { type: 'text', text: 'x' } })).toBe('')
      expect(encoder.push({ type: 'end' })).toBe('')
    },
  )

  it('an error that the upstream tells within a stream is one', () => {
    const error = '{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}'
    const { events } = decodeStream(anthropic, [Buffer.from(`event: error\ndata: ${error}\n\n`)])
    expect(events).toMatchObject([
      { type: 'failure', failure: { message: 'Overloaded', type: 'overloaded_error' } },
    ])
  })

  it('several answers cannot be told where there is one, and that is noted', () => {
    const encoder = anthropic.encodeEvents()
    encoder.push({ type: 'start', id: 'i', model: 'm' })
    encoder.push({ type: 'part', choice: 1, index: 0, part: { type: 'text', text: 'x' } })
    expect(encoder.warnings).toEqual([{ dropped: 'n', dialect: 'anthropic' }])
  })

  it('a tool that takes any text is called with one', () => {
    const request = {
      model: 'm',
      messages: [],
      tools: [{ type: 'custom' as const, name: 'patch' }],
    }
    const input = JSON.stringify({ input: 'a "b"\n' })
    const events: ChatEvent[] = [
      { type: 'start', id: 'i', model: 'm' },
      { type: 'part', index: 0, part: { type: 'tool-call', id: 't', name: 'patch', input: '' } },
      ...[...input].map(text => ({ type: 'delta', index: 0, text }) as const),
      { type: 'finish', finish: { reason: 'tools' } },
      { type: 'end' },
    ]
    const custom = { type: 'custom', custom: { name: 'patch', input: 'a "b"\n' } }
    const { body } = openaiChat.encodeResponse(collectAnswer(events), { request })
    expect((body.choices as Json)[0].message.tool_calls).toMatchObject([custom])
    const encoder = openaiChat.encodeEvents({ request })
    const stream = Buffer.from(events.map(event => encoder.push(event)).join(''))
    expect(decodeStream(openaiChat, [stream]).answer.choices[0]?.parts).toMatchObject([
      { custom: true, input: 'a "b"\n' },
    ])
  })
})

it('a proof is another vendor’s only where it says so', () => {
  expect(decodeSignature('a:b', 'anthropic')).toEqual({ dialect: 'anthropic', text: 'a:b' })
  expect(
    decodeSignature(encodeSignature({ dialect: 'gemini', text: 'a:b' }, 'anthropic'), 'anthropic'),
  ).toEqual({
    dialect: 'gemini',
    text: 'a:b',
  })
})

it('pieces of a sound are joined as bytes', () => {
  const part = { type: 'media' as const, mime: 'audio/*' }
  const pieces = ['a', 'bc', 'def', 'g'].map(each => Buffer.from(each).toString('base64'))
  const events: ChatEvent[] = [
    { type: 'part', index: 0, part },
    ...pieces.map(text => ({ type: 'delta', index: 0, text }) as const),
  ]
  const [sound] = collectAnswer(events).choices[0]!.parts
  expect(sound).toEqual({ ...part, base64: Buffer.from('abcdefg').toString('base64') })
})

it('an answer that begins within its first event is whole', () => {
  const message = { id: 'm', model: 'x', content: [{ type: 'text', text: 'a' }] }
  const frames = [
    { type: 'message_start', message },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'b' } },
    { type: 'message_delta', delta: { stop_reason: 'end_turn' } },
  ]
  const stream = frames.map(frame => `data: ${JSON.stringify(frame)}\n\n`).join('')
  const { answer, last } = decodeStream(anthropic, [Buffer.from(stream)])
  expect([answer.choices[0]?.parts, last]).toEqual([[{ type: 'text', text: 'ab' }], 'end'])
})

it('what is no request is refused with a sentence', () => {
  for (const dialect of [openaiChat, anthropic])
    for (const body of [null, 1, {}, { model: 'm' }, { model: 'm', messages: [1] }])
      expect(dialect.decodeRequest(body)).toMatchObject({ ok: false, reason: 'invalid' })
})

it('a count of tokens asks for the prompt only', () => {
  const { tokenCounting: counting } = anthropic
  const read = counting!.decodeRequest({ model: 'm', messages: [user('x')], system: 's' })
  if (!read.ok) throw new Error(read.hint)
  expect(counting!.encodeRequest(read.request).body).toEqual({
    model: 'm',
    system: 's',
    messages: [user('x')],
  })
  expect(counting!.decodeAnswer(counting!.encodeResponse(7))).toBe(7)
})
