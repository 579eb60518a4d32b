import OpenAI from 'openai'
import { describe, expect, it } from 'vitest'
import type { ChatAnswer, ChatEvent, ChatRequest, Part } from '../canon.ts'
import { answerEvents } from '../collect.ts'
import { openaiResponses } from './index.ts'

const answer = (parts: Part[]): ChatAnswer => ({
  id: 'chatcmpl-1',
  model: 'm',
  createdAt: 1,
  choices: [{ parts, finish: { reason: 'stop' } }],
})
const itemsOf = (parts: Part[], request?: ChatRequest) => {
  const { body, warnings } = openaiResponses.encodeResponse(
    answer(parts),
    request ? { request } : {},
  )
  return {
    items: body.output as Record<string, unknown>[],
    dropped: warnings.map(each => each.dropped),
  }
}
const encodeAll = (events: Iterable<ChatEvent>, request?: ChatRequest) => {
  const encoder = openaiResponses.encodeEvents(request ? { request } : {})
  const text = [...events].map(event => encoder.push(event)).join('')
  const frames = text
    .split('\n')
    .filter(line => line.startsWith('data: '))
    .map(line => JSON.parse(line.slice(6)))
  return { text, frames, warnings: encoder.warnings }
}
const read = (body: object) => {
  const result = openaiResponses.decodeRequest({ model: 'm', ...body })
  if (!result.ok) throw new Error(result.hint)
  return result.request
}
const write = (request: Partial<ChatRequest>) =>
  openaiResponses.encodeRequest({ model: 'm', messages: [], ...request })

describe('answers of other dialects', () => {
  it('a foreign proof comes back as it was', () => {
    const signature = { dialect: 'anthropic', text: 'EqQB+/=' } as const
    const { items } = itemsOf([{ type: 'thinking', text: 'so', signature }])
    expect(items).toEqual([
      {
        id: 'rs_chatcmpl-1_0',
        type: 'reasoning',
        summary: [{ type: 'summary_text', text: 'so' }],
        encrypted_content: 'anthropic:EqQB+/=',
      },
    ])
    expect(read({ input: items }).messages[0]?.parts).toMatchObject([
      { type: 'thinking', text: 'so', signature },
    ])
  })

  it('the proof of a call stands before it, and is found there again', () => {
    const signature = { dialect: 'gemini', text: 'CmIB' } as const
    const call = { type: 'tool-call', id: 'c', name: 'f', input: '{}' } as const
    const { items, dropped } = itemsOf([{ ...call, signature }])
    expect(items).toMatchObject([
      { type: 'reasoning', summary: [], encrypted_content: 'gemini:CmIB' },
      { type: 'function_call', call_id: 'c' },
    ])
    expect(dropped).toEqual([])
    expect(read({ input: items }).messages[0]?.parts).toMatchObject([
      { type: 'thinking', redacted: true, signature },
      call,
    ])
  })

  it('a part that cannot be told leaves its words out, and is noted', () => {
    const events: ChatEvent[] = [
      { type: 'start', id: 'r', model: 'm' },
      { type: 'part', index: 0, part: { type: 'text', text: 'a' } },
      {
        type: 'part',
        index: 1,
        part: { type: 'opaque', dialect: 'anthropic', value: { type: 'server_tool_use' } },
      },
      { type: 'delta', index: 1, text: '{"query":"x"}' },
      { type: 'part', index: 2, part: { type: 'text', text: 'b' } },
      { type: 'end' },
    ]
    const { frames, warnings } = encodeAll(events)
    const texts = frames
      .at(-1)
      .response.output.flatMap((item: { content: { text: string }[] }) =>
        item.content.map(each => each.text),
      )
    expect([texts, warnings]).toEqual([
      ['a', 'b'],
      [{ dropped: 'server_tool_use', dialect: 'openai-responses' }],
    ])
  })

  it('a function that stands for a custom tool becomes that tool again', () => {
    const request: ChatRequest = {
      model: 'm',
      messages: [],
      tools: [{ type: 'custom', name: 'patch' }],
    }
    const parts: Part[] = [
      { type: 'tool-call', id: 'c', name: 'patch', input: '{"input":"*** Begin"}' },
    ]
    const custom = { type: 'custom_tool_call', call_id: 'c', name: 'patch', input: '*** Begin' }
    expect(itemsOf(parts, request).items).toMatchObject([custom])
    const { frames } = encodeAll(answerEvents(answer(parts)), request)
    expect(frames.map(frame => frame.type)).toContain('response.custom_tool_call_input.delta')
    expect(frames.at(-1).response.output).toMatchObject([custom])
  })

  it.each([
    ['stop', 'completed', undefined],
    ['tools', 'completed', undefined],
    ['length', 'incomplete', 'max_output_tokens'],
    ['context-full', 'incomplete', 'max_output_tokens'],
    ['filter', 'incomplete', 'content_filter'],
  ] as const)('%s ends as %s', (reason, status, incomplete) => {
    const { frames } = encodeAll([
      { type: 'start', id: 'r', model: 'm' },
      { type: 'finish', finish: { reason } },
      { type: 'end' },
    ])
    expect(frames.at(-1)).toMatchObject({
      type: `response.${status}`,
      response: { status, incomplete_details: incomplete ? { reason: incomplete } : null },
    })
  })

  it('other choices, sounds and marks are noted', () => {
    const two = openaiResponses.encodeResponse({
      ...answer([{ type: 'media', mime: 'audio/wav', base64: 'AAAA' }]),
      choices: [
        ...answer([{ type: 'media', mime: 'audio/wav', base64: 'AAAA' }]).choices,
        { parts: [] },
      ],
    })
    expect(two.warnings.map(each => each.dropped)).toEqual(['choices', 'audio'])
  })

  it('an upstream that breaks is an error that the official client throws, with what came before', async () => {
    const { text, frames } = encodeAll([
      { type: 'start', id: 'r', model: 'm' },
      { type: 'part', index: 0, part: { type: 'text', text: 'a' } },
      {
        type: 'failure',
        failure: { message: 'Broken.', type: 'server_error', code: 'upstream_broken' },
      },
    ])
    expect(frames.at(-1)).toMatchObject({
      type: 'response.failed',
      response: { status: 'failed', error: { code: 'upstream_broken', message: 'Broken.' } },
    })
    const client = new OpenAI({
      apiKey: 'k',
      baseURL: 'http://x.example',
      fetch: async () => new Response(text, { headers: { 'content-type': 'text/event-stream' } }),
    })
    const stream = await client.responses.create({ model: 'm', input: '', stream: true })
    const all = async () => {
      for await (const _ of stream);
    }
    await expect(all()).rejects.toMatchObject({ code: 'upstream_broken' })
  })
})

describe('streams as they come', () => {
  const decodeAll = (frames: object[]) => {
    const events: ChatEvent[] = []
    const decoder = openaiResponses.decodeFrames(event => events.push(event))
    for (const frame of frames) decoder.pushFrame(JSON.stringify(frame), '')
    decoder.end()
    return events
  }
  const added = (index: number, item: object) => ({
    type: 'response.output_item.added',
    output_index: index,
    item,
  })
  const done = (index: number, item: object) => ({
    type: 'response.output_item.done',
    output_index: index,
    item,
  })
  const delta = (index: number, text: string) => ({
    type: 'response.function_call_arguments.delta',
    output_index: index,
    delta: text,
  })
  const call = (id: string, args: string) => ({
    type: 'function_call',
    id,
    call_id: id,
    name: 'f',
    arguments: args,
  })

  it('calls that come side by side are told one after the other', () => {
    const events = decodeAll([
      { type: 'response.created', response: { id: 'r', model: 'm', output: [] } },
      added(0, call('a', '')),
      added(1, call('b', '')),
      delta(1, '{"b"'),
      delta(0, '{"a":1}'),
      delta(1, ':2}'),
      done(1, call('b', '{"b":2}')),
      done(0, call('a', '{"a":1}')),
      { type: 'response.completed', response: { id: 'r', status: 'completed', output: [] } },
    ])
    expect(events.filter(each => each.type === 'part' || each.type === 'delta')).toMatchObject([
      { type: 'part', index: 0, part: { id: 'a', input: '' } },
      { type: 'delta', index: 0, text: '{"a":1}' },
      { type: 'part', index: 1, part: { id: 'b', input: '' } },
      { type: 'delta', index: 1, text: '{"b"' },
      { type: 'delta', index: 1, text: ':2}' },
    ])
  })

  it('items that only the last event tells are told', () => {
    const message = { type: 'message', id: 'm', content: [{ type: 'output_text', text: 'a' }] }
    const events = decodeAll([
      {
        type: 'response.completed',
        response: { id: 'r', model: 'm', status: 'completed', output: [message] },
      },
    ])
    expect(events.map(each => each.type)).toEqual(['start', 'part', 'finish', 'end'])
  })

  it('a stream without its last event is a failure', () => {
    expect(decodeAll([added(0, call('a', ''))]).at(-1)).toMatchObject({
      type: 'failure',
      failure: { code: 'stream_broken' },
    })
  })

  it('what is no frame is counted, whatever it is', () => {
    const decoder = openaiResponses.decodeFrames(() => {})
    const odd = ['{', '[]', 'null', '7', '{"type":7}', '{"type":"response.output_item.added"}']
    for (const data of odd) decoder.pushFrame(data, '')
    decoder.pushFrame('{"type":"response.output_text.delta","delta":{}}', '')
    expect(decoder.malformedFrames()).toBe(7)
  })
})

describe('requests of other dialects', () => {
  it('what cannot be said is noted, by the name that its caller knows', () => {
    const { warnings } = write({
      stop: ['x'],
      seed: 1,
      topK: 1,
      n: 2,
      presencePenalty: 1,
      modalities: ['audio'],
      messages: [
        {
          role: 'tool',
          parts: [{ type: 'tool-result', id: 'c', parts: [], failed: true }],
        },
        {
          role: 'assistant',
          parts: [{ type: 'thinking', text: 'x', signature: { dialect: 'anthropic', text: 's' } }],
        },
      ],
      unknownFields: { dialect: 'anthropic', fields: { container: 'c' } },
    })
    expect(warnings.map(each => each.dropped).toSorted()).toEqual([
      'container',
      'is_error',
      'modalities',
      'n',
      'presence_penalty',
      'seed',
      'stop',
      'thinking',
      'top_k',
    ])
  })

  it('functions are strict only where that was said', () => {
    const { body } = write({ tools: [{ type: 'function', name: 'f' }] })
    expect(body.tools).toEqual([
      {
        type: 'function',
        name: 'f',
        parameters: { type: 'object', properties: {} },
        strict: false,
      },
    ])
  })

  it.each([
    [{ budget: 0 }, 'none'],
    [{ budget: 2_000 }, 'low'],
    [{ budget: 8_000 }, 'medium'],
    [{ budget: 32_000 }, 'high'],
    [{ budget: -1 }, undefined],
    [{ mode: 'disabled' }, 'none'],
    [{ effort: 'xhigh', budget: 1 }, 'xhigh'],
  ] as const)('thinking as %j is effort %s', (reasoning, effort) => {
    const { body } = write({ reasoning })
    expect((body.reasoning as { effort?: string }).effort).toBe(effort)
  })

  it('the history stays with a caller of another dialect, and so do its thoughts', () => {
    const request = { model: 'm', messages: [], reasoning: { effort: 'low' } }
    expect(openaiResponses.encodeRequest(request, {}).body).toMatchObject({
      store: false,
      include: ['reasoning.encrypted_content'],
    })
    expect(openaiResponses.encodeRequest(request).body).not.toHaveProperty('store')
  })

  it('a text, items without a type and a null are read', () => {
    expect(read({ input: 'hi', instructions: null, tools: null }).messages).toEqual([
      { role: 'user', parts: [{ type: 'text', text: 'hi' }] },
    ])
    expect(read({ input: [{ role: 'assistant', content: 'a' }] }).messages).toEqual([
      { role: 'assistant', parts: [{ type: 'text', text: 'a' }] },
    ])
    expect(openaiResponses.decodeRequest({ model: 'm', input: 7 }).ok).toBe(false)
  })

  it('counting asks the same, and reads its figure', () => {
    const { tokenCounting: counting } = openaiResponses
    expect(counting?.decodeAnswer(counting.encodeResponse(7))).toBe(7)
    expect(counting?.decodeAnswer({ input_tokens: -1 })).toBeUndefined()
  })
})
