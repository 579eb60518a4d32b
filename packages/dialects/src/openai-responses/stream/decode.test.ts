import { expect, it } from 'vitest'
import type { ChatEvent } from '../../canon.ts'
import { noUsage } from '../../usage.ts'
import { openaiResponses } from '../index.ts'

// https://platform.openai.com/docs/api-reference/responses-streaming

type Frame = Record<string, unknown> & { type: string }

const decodeAll = (frames: readonly unknown[], event = '') => {
  const events: ChatEvent[] = []
  const decoder = openaiResponses.decodeFrames(each => events.push(structuredClone(each)))
  for (const frame of frames)
    decoder.pushFrame(typeof frame === 'string' ? frame : JSON.stringify(frame), event)
  decoder.end()
  return { events, malformedFrames: decoder.malformedFrames() }
}
const encodeAll = (events: readonly ChatEvent[]) => {
  const encoder = openaiResponses.encodeEvents()
  const result = events.map(event => encoder.push(event)).join('')
  const frames = result.split('\n').filter(line => line.startsWith('data: '))
  return { frames: frames.map(line => JSON.parse(line.slice(6))), warnings: encoder.warnings }
}
const own = (fields: Record<string, unknown>) =>
  ({ unknownFields: { dialect: 'openai-responses', fields } }) as const
const marked = (item: Record<string, unknown>) => own({ item })

const blank = {
  id: 'r',
  object: 'response',
  created_at: 5,
  background: false,
  completed_at: null,
  error: null,
  frequency_penalty: 0,
  incomplete_details: null,
  instructions: null,
  max_output_tokens: null,
  max_tool_calls: null,
  model: 'm',
  parallel_tool_calls: true,
  presence_penalty: 0,
  previous_response_id: null,
  prompt_cache_key: null,
  reasoning: { effort: null, summary: null },
  safety_identifier: null,
  store: true,
  temperature: 1,
  text: { format: { type: 'text' } },
  tool_choice: 'auto',
  tools: [],
  top_logprobs: 0,
  top_p: 1,
  truncation: 'disabled',
  user: null,
  metadata: {},
}
const begun = { ...blank, status: 'in_progress', output: [], usage: null }
const start: ChatEvent = {
  type: 'start',
  id: 'r',
  model: 'm',
  createdAt: 5,
  ...own({ echo: { store: true } }),
}
const usage = {
  input_tokens: 3,
  input_tokens_details: { cached_tokens: 0 },
  output_tokens: 4,
  output_tokens_details: { reasoning_tokens: 0 },
  total_tokens: 7,
}
const used: ChatEvent = {
  type: 'usage',
  reportedUsage: { usage: { ...noUsage(), input: 3, output: 4, uncached: true }, ...own(usage) },
}

const added = (at: number, item: object): Frame => ({
  type: 'response.output_item.added',
  output_index: at,
  item,
})
const done = (at: number, item: object): Frame => ({
  type: 'response.output_item.done',
  output_index: at,
  item,
})
/** A frame of the item at `output_index` 0. */
const of = (type: string, fields: object): Frame => ({
  type: `response.${type}`,
  output_index: 0,
  ...fields,
})
const part = (index: number, part: object) => ({ type: 'part', index, part }) as ChatEvent
const delta = (index: number, text: string): ChatEvent => ({ type: 'delta', index, text })

const logprob = { token: 'a', bytes: [97], logprob: -1, top_logprobs: [] }
const annotation = {
  type: 'url_citation',
  url: 'https://a.example',
  title: 't',
  start_index: 0,
  end_index: 2,
}
const citation = {
  url: 'https://a.example',
  title: 't',
  start: 0,
  end: 2,
  raw: { dialect: 'openai-responses', value: annotation },
} as const
const citing: ChatEvent = { type: 'citation', index: 0, citation }

const outputText = (text: string, more: object = {}) => ({
  type: 'output_text',
  annotations: [],
  logprobs: [],
  text,
  ...more,
})
const message = { id: 'msg_1', type: 'message', role: 'assistant' }
const given = outputText('ab', { annotations: [annotation], logprobs: [logprob] })
const refused = { type: 'refusal', refusal: 'no' }
const summary = (text: string) => ({ type: 'summary_text', text })
const opened = (text: string) => ({ type: 'reasoning_text', text })
const call = { id: 'fc_1', type: 'function_call', call_id: 'c', name: 'f' }
const custom = { id: 'ctc_1', type: 'custom_tool_call', call_id: 'c', name: 'f' }
const search = { id: 'ws_1', type: 'web_search_call' }
const picture = { id: 'ig_1', type: 'image_generation_call', output_format: 'png' }
const thought = { id: 'rs_1', type: 'reasoning' }

const msg = { item_id: 'msg_1', output_index: 0 }
const rs = { item_id: 'rs_1', output_index: 0 }

it.each<[string, object, Frame[], ChatEvent[]]>([
  [
    'an answer with its sources, and a refusal',
    { ...message, status: 'completed', content: [given, refused] },
    [
      added(0, { ...message, status: 'in_progress', content: [] }),
      of('content_part.added', { ...msg, content_index: 0, part: outputText('') }),
      of('output_text.delta', { ...msg, content_index: 0, delta: 'a', logprobs: [logprob] }),
      of('output_text.delta', { ...msg, content_index: 0, delta: 'b', logprobs: [] }),
      of('output_text.annotation.added', {
        ...msg,
        content_index: 0,
        annotation_index: 0,
        annotation,
      }),
      of('output_text.done', { ...msg, content_index: 0, text: 'ab', logprobs: [logprob] }),
      of('content_part.done', { ...msg, content_index: 0, part: given }),
      of('content_part.added', { ...msg, content_index: 1, part: { ...refused, refusal: '' } }),
      of('refusal.delta', { ...msg, content_index: 1, delta: 'no' }),
      of('refusal.done', { ...msg, content_index: 1, refusal: 'no' }),
      of('content_part.done', { ...msg, content_index: 1, part: refused }),
    ],
    [
      part(0, { type: 'text', text: '', ...marked({ id: 'msg_1' }) }),
      {
        type: 'delta',
        index: 0,
        text: 'a',
        logprobs: [{ token: 'a', bytes: [97], logprob: -1, top: [] }],
      },
      delta(0, 'b'),
      citing,
      part(1, { type: 'text', text: '', refusal: true }),
      delta(1, 'no'),
    ],
  ],
  [
    'a thought',
    {
      ...thought,
      summary: [summary('a'), summary('b')],
      content: [opened('c')],
      encrypted_content: 'gAAA',
    },
    [
      added(0, { ...thought, summary: [] }),
      ...['a', 'b'].flatMap((words, summary_index) => [
        of('reasoning_summary_part.added', { ...rs, summary_index, part: summary('') }),
        of('reasoning_summary_text.delta', { ...rs, summary_index, delta: words }),
        of('reasoning_summary_text.done', { ...rs, summary_index, text: words }),
        of('reasoning_summary_part.done', { ...rs, summary_index, part: summary(words) }),
      ]),
      of('content_part.added', { ...rs, content_index: 0, part: opened('') }),
      of('reasoning_text.delta', { ...rs, content_index: 0, delta: 'c' }),
      of('reasoning_text.done', { ...rs, content_index: 0, text: 'c' }),
      of('content_part.done', { ...rs, content_index: 0, part: opened('c') }),
    ],
    [
      part(0, { type: 'thinking', text: '', ...marked({ id: 'rs_1' }) }),
      delta(0, 'a'),
      part(1, { type: 'thinking', text: '' }),
      delta(1, 'b'),
      part(2, { type: 'thinking', text: '', ...own({ of: 'content' }) }),
      delta(2, 'c'),
      { type: 'signature', index: 2, signature: { dialect: 'openai-responses', text: 'gAAA' } },
    ],
  ],
  [
    'a call',
    { ...call, status: 'completed', arguments: '{}' },
    [
      added(0, { ...call, status: 'in_progress', arguments: '' }),
      of('function_call_arguments.delta', { item_id: 'fc_1', delta: '{' }),
      of('function_call_arguments.delta', { item_id: 'fc_1', delta: '}' }),
      of('function_call_arguments.done', { item_id: 'fc_1', name: 'f', arguments: '{}' }),
    ],
    [
      part(0, { type: 'tool-call', id: 'c', name: 'f', input: '', ...marked({ id: 'fc_1' }) }),
      delta(0, '{'),
      delta(0, '}'),
    ],
  ],
  [
    'a call of a custom tool',
    { ...custom, status: 'completed', input: 'x' },
    [
      added(0, { ...custom, status: 'in_progress', input: '' }),
      of('custom_tool_call_input.delta', { item_id: 'ctc_1', delta: 'x' }),
      of('custom_tool_call_input.done', { item_id: 'ctc_1', input: 'x' }),
    ],
    [
      part(0, {
        type: 'tool-call',
        id: 'c',
        name: 'f',
        input: '',
        custom: true,
        ...marked({ id: 'ctc_1' }),
      }),
      delta(0, 'x'),
    ],
  ],
  [
    'a picture',
    { ...picture, status: 'completed', result: 'AAAA' },
    [added(0, { ...picture, status: 'in_progress', result: null })],
    [
      part(0, {
        type: 'media',
        mime: 'image/png',
        base64: 'AAAA',
        ...marked({ id: 'ig_1', output_format: 'png', kind: 'image_generation_call' }),
      }),
    ],
  ],
  [
    'what a tool of the vendor does, and a frame that is new',
    { ...search, status: 'completed', action: { type: 'search' } },
    [
      added(0, { ...search, status: 'in_progress' }),
      of('web_search_call.searching', { item_id: 'ws_1' }),
      { type: 'response.new', of: 1 },
    ],
    [
      part(0, {
        type: 'opaque',
        dialect: 'openai-responses',
        value: { ...search, status: 'in_progress' },
      }),
      {
        type: 'opaque',
        dialect: 'openai-responses',
        name: 'response.web_search_call.searching',
        value: { output_index: 0, item_id: 'ws_1' },
      },
      { type: 'opaque', dialect: 'openai-responses', name: 'response.new', value: { of: 1 } },
      {
        type: 'unknown-fields',
        index: 0,
        ...own({ status: 'completed', action: { type: 'search' } }),
      },
    ],
  ],
])('%s is heard as it is told, and told again frame by frame', (_, item, result, meant) => {
  const { type } = item as Frame
  const sold = type === 'web_search_call' || type === 'image_generation_call'
  const frames = [
    { type: 'response.created', response: begun },
    { type: 'response.in_progress', response: begun },
    ...result,
    done(0, item),
    {
      type: 'response.completed',
      response: { ...blank, status: 'completed', output: [item], usage },
    },
  ].map((frame, sequence_number) => ({ ...frame, sequence_number }))
  const { events, malformedFrames } = decodeAll(frames)
  const reason = type === 'function_call' || type === 'custom_tool_call' ? 'tools' : 'stop'
  const counted = sold ? { [type.replace('_call', '')]: 1 } : {}
  const report = { ...(used as { reportedUsage: { usage: object } }).reportedUsage }
  const ended = [
    { type: 'usage', reportedUsage: { ...report, usage: { ...report.usage, tools: counted } } },
    { type: 'finish', finish: { reason } },
    { type: 'end' },
  ]
  expect({ events, malformedFrames }).toStrictEqual({
    events: [start, ...meant, ...ended],
    malformedFrames: 0,
  })
  expect(encodeAll(events)).toStrictEqual({ frames, warnings: [] })
})

const created: Frame = { type: 'response.created', response: { id: 'r', model: 'm' } }
const completed = (response: object = {}): Frame => ({
  type: 'response.completed',
  response: { id: 'r', model: 'm', status: 'completed', ...response },
})
/** Decodes frames between the first and the last one. */
const observed = (...frames: unknown[]) => {
  const { events, malformedFrames } = decodeAll([created, ...frames, completed()])
  expect([events[0], events.at(-1), malformedFrames]).toStrictEqual([
    { type: 'start', id: 'r', model: 'm' },
    { type: 'end' },
    0,
  ])
  return events.slice(1, -2)
}
it('tools are counted by the finished items where the last event has no output', () => {
  const image = { type: 'image_generation_call', quality: 'high', size: '1024x1024', result: 'AA' }
  const usage = { input_tokens: 1, output_tokens: 1 }
  const toolsOf = (response: object) =>
    decodeAll([
      created,
      done(0, image),
      done(1, image),
      completed({ usage, ...response }),
    ]).events.find(each => each.type === 'usage')
  for (const response of [{}, { output: [] }, { output: [image, image] }])
    expect(toolsOf(response)).toMatchObject({
      reportedUsage: { usage: { tools: { 'image_generation:high-1024x1024': 2 } } },
    })
})

const plain = { type: 'message', role: 'assistant', content: [] }
const words = (...texts: string[]) => ({ ...plain, content: texts.map(each => outputText(each)) })
const text = (index: number) => part(index, { type: 'text', text: '' })
const thinking = (index: number, more: object = {}) =>
  part(index, { type: 'thinking', text: '', ...more })

it.each<[string, Frame[], ChatEvent[]]>([
  [
    'a part that was not announced begins with its first words',
    [
      added(0, plain),
      of('output_text.delta', { content_index: 0, delta: 'a' }),
      of('output_text.delta', { delta: 'b' }),
      of('refusal.delta', { content_index: 1, delta: 'c' }),
      of('refusal.delta', { content_index: 1, delta: 'd' }),
    ],
    [
      text(0),
      delta(0, 'a'),
      delta(0, 'b'),
      part(1, { type: 'text', text: '', refusal: true }),
      delta(1, 'c'),
      delta(1, 'd'),
    ],
  ],
  [
    'open reasoning is counted beside its summaries, and an early proof is none',
    [
      added(0, { type: 'reasoning', summary: [], encrypted_content: 'early' }),
      of('reasoning_summary_text.delta', { summary_index: 0, delta: 'a' }),
      of('reasoning_summary_text.delta', { summary_index: 1, delta: 'b' }),
      of('reasoning_text.delta', { content_index: 0, delta: 'c' }),
      of('reasoning_text.delta', { content_index: 0, delta: 'd' }),
      of('reasoning_text.delta', { content_index: 1, delta: 'e' }),
      done(0, {
        type: 'reasoning',
        summary: [summary('a'), summary('b')],
        content: [opened('cd'), opened('e')],
      }),
    ],
    [
      thinking(0),
      delta(0, 'a'),
      thinking(1),
      delta(1, 'b'),
      thinking(2, own({ of: 'content' })),
      delta(2, 'c'),
      delta(2, 'd'),
      thinking(3, own({ of: 'content' })),
      delta(3, 'e'),
    ],
  ],
  [
    'an announced part says what it has of its own',
    [added(0, plain), of('content_part.added', { part: outputText('', { odd: 1 }) })],
    [part(0, { type: 'text', text: '', ...own({ odd: 1 }) })],
  ],
  [
    'an item that only its end tells is told whole',
    [done(0, words('a', 'b'))],
    [part(0, { type: 'text', text: 'a' }), part(1, { type: 'text', text: 'b' })],
  ],
  [
    'what the pieces left out is told at the end',
    [
      added(0, plain),
      of('output_text.delta', { delta: 'a' }),
      done(0, { ...plain, content: [outputText('abc', { annotations: [annotation] })] }),
    ],
    [text(0), delta(0, 'a'), delta(0, 'bc'), citing],
  ],
  [
    'so are the parts that had no pieces, and sources beyond those that were told',
    [
      added(0, plain),
      of('output_text.delta', { delta: 'a' }),
      of('output_text.annotation.added', { annotation }),
      done(0, {
        ...plain,
        phase: 'x',
        content: [outputText('a', { annotations: [annotation, annotation] })],
      }),
      done(1, words('b')),
    ],
    [
      text(0),
      delta(0, 'a'),
      citing,
      citing,
      { type: 'unknown-fields', index: 0, ...marked({ phase: 'x' }) },
      part(1, { type: 'text', text: 'b' }),
    ],
  ],
  [
    'a second part that had no pieces',
    [added(0, plain), of('output_text.delta', { delta: 'a' }), done(0, words('abc', 'd'))],
    [text(0), delta(0, 'a'), delta(0, 'bc'), part(1, { type: 'text', text: 'd' })],
  ],
  [
    'a thought and its proof',
    [
      added(0, { type: 'reasoning', summary: [] }),
      of('reasoning_summary_text.delta', { delta: 'a' }),
      done(0, { type: 'reasoning', summary: [summary('ab')], encrypted_content: 'gAAA' }),
    ],
    [
      thinking(0),
      delta(0, 'a'),
      delta(0, 'b'),
      { type: 'signature', index: 0, signature: { dialect: 'openai-responses', text: 'gAAA' } },
    ],
  ],
  [
    'arguments that came in no pieces',
    [
      added(0, { type: 'function_call', call_id: 'c', name: 'f', arguments: '' }),
      done(0, { type: 'function_call', call_id: 'c', name: 'f', arguments: '{}', x: 1 }),
    ],
    [
      part(0, { type: 'tool-call', id: 'c', name: 'f', input: '' }),
      delta(0, '{}'),
      { type: 'unknown-fields', index: 0, ...marked({ x: 1 }) },
    ],
  ],
  [
    'arguments, a source and a state of which the pieces told a part',
    [
      added(0, { type: 'function_call', call_id: 'c', name: 'f', arguments: '' }),
      of('function_call_arguments.delta', { delta: '{' }),
      of('function_call_arguments.delta', { delta: '"a"' }),
      done(0, { type: 'function_call', call_id: 'c', name: 'f', arguments: '{"a":1}' }),
      added(0, plain),
      of('output_text.delta', { content_index: 0, delta: 'a' }),
      of('output_text.delta', { content_index: 1, delta: 'b' }),
      of('output_text.annotation.added', { content_index: 1, annotation }),
      done(0, {
        ...plain,
        content: [outputText('a'), outputText('b', { annotations: [annotation] })],
      }),
      added(0, { type: 'new' }),
      done(0, { type: 'new', status: 'completed' }),
    ],
    [
      part(0, { type: 'tool-call', id: 'c', name: 'f', input: '' }),
      delta(0, '{'),
      delta(0, '"a"'),
      delta(0, ':1}'),
      text(1),
      delta(1, 'a'),
      text(2),
      delta(2, 'b'),
      { type: 'citation', index: 2, citation },
      part(3, { type: 'opaque', dialect: 'openai-responses', value: { type: 'new' } }),
      { type: 'unknown-fields', index: 3, ...own({ status: 'completed' }) },
    ],
  ],
  [
    'words that the end says otherwise stay as they were',
    [
      added(0, plain),
      of('output_text.delta', { delta: 'a' }),
      done(0, words('bcd')),
      added(1, { type: 'function_call', call_id: 'c', name: 'f', arguments: '' }),
      { ...of('function_call_arguments.delta', { delta: '{' }), output_index: 1 },
      done(1, { type: 'function_call', call_id: 'c', name: 'f', arguments: '[1]' }),
      added(2, { type: 'reasoning', summary: [] }),
      { ...of('reasoning_summary_text.delta', { delta: 'a' }), output_index: 2 },
      done(2, { type: 'reasoning', summary: [summary('bcd')] }),
      added(3, { type: 'web_search_call' }),
      done(3, { type: 'web_search_call' }),
    ],
    [
      text(0),
      delta(0, 'a'),
      part(1, { type: 'tool-call', id: 'c', name: 'f', input: '' }),
      delta(1, '{'),
      thinking(2),
      delta(2, 'a'),
      part(3, { type: 'opaque', dialect: 'openai-responses', value: { type: 'web_search_call' } }),
    ],
  ],
  [
    'an item that ends as another kind says nothing more',
    [
      added(0, { type: 'reasoning', summary: [] }),
      of('reasoning_summary_text.delta', { delta: 'a' }),
      done(0, words('ab')),
      added(0, plain),
      of('output_text.delta', { delta: 'a' }),
      done(0, { type: 'reasoning', summary: [summary('ab')], encrypted_content: 'gAAA' }),
      added(0, { type: 'function_call', call_id: 'c', name: 'f' }),
      done(0, words('ab')),
      added(0, plain),
      of('output_text.delta', { delta: 'a' }),
      done(0, { type: 'function_call', call_id: 'c', name: 'f', arguments: 'ab' }),
      added(0, { type: 'new' }),
      done(0, words('ab')),
      added(0, plain),
      of('output_text.delta', { delta: 'a' }),
      done(0, { type: 'new' }),
    ],
    [
      thinking(0),
      delta(0, 'a'),
      text(1),
      delta(1, 'a'),
      part(2, { type: 'tool-call', id: 'c', name: 'f', input: '' }),
      text(3),
      delta(3, 'a'),
      part(4, { type: 'opaque', dialect: 'openai-responses', value: { type: 'new' } }),
      text(5),
      delta(5, 'a'),
    ],
  ],
  [
    'pieces of nothing, and pieces that are empty, are none',
    [
      of('output_text.annotation.added', { annotation }),
      of('function_call_arguments.delta', { delta: 'a' }),
      added(0, plain),
      of('function_call_arguments.delta', { delta: 'a' }),
      of('output_text.annotation.added', { annotation }),
      of('output_text.delta', { delta: '' }),
      of('output_text.delta', { delta: 'a' }),
      done(0, words('a')),
      added(1, { type: 'reasoning', summary: [] }),
      { ...of('reasoning_summary_text.delta', { delta: 'b' }), output_index: 1 },
      { ...of('output_text.annotation.added', { annotation }), output_index: 1 },
    ],
    [text(0), delta(0, 'a'), thinking(1), delta(1, 'b')],
  ],
  [
    'what the item tells again, whole, is not told twice',
    [
      added(0, { type: 'new' }),
      of('output_text.done', {}),
      of('refusal.done', {}),
      of('content_part.done', {}),
      of('reasoning_summary_text.done', {}),
      of('reasoning_text.done', {}),
      of('reasoning_summary_part.done', {}),
      of('function_call_arguments.done', {}),
      of('custom_tool_call_input.done', {}),
      { type: 'response.in_progress' },
      { type: 'response.created' },
    ],
    [part(0, { type: 'opaque', dialect: 'openai-responses', value: { type: 'new' } })],
  ],
  [
    'how a picture comes about cannot be placed before it is there',
    [
      added(0, { type: 'image_generation_call' }),
      of('image_generation_call.generating', {}),
      of('image_generation_call.partial_image', { partial_image_b64: 'AA' }),
    ],
    [
      part(0, {
        type: 'opaque',
        dialect: 'openai-responses',
        value: { type: 'image_generation_call' },
      }),
    ],
  ],
  [
    'three calls at once are told one after the other',
    [
      added(0, { type: 'function_call', call_id: 'a' }),
      added(1, { type: 'function_call', call_id: 'b' }),
      added(2, { type: 'function_call', call_id: 'c' }),
      { ...of('function_call_arguments.delta', { delta: '2' }), output_index: 2 },
      { ...of('function_call_arguments.delta', { delta: '1' }), output_index: 1 },
      of('function_call_arguments.delta', { delta: '0' }),
      done(2, { type: 'function_call', call_id: 'c', arguments: '2' }),
      done(1, { type: 'function_call', call_id: 'b', arguments: '1' }),
    ],
    ['a', 'b', 'c'].flatMap((id, at) => [
      part(at, { type: 'tool-call', id, name: '', input: '' }),
      delta(at, `${at}`),
    ]),
  ],
])('streams as vendors tell them: %s', (_, frames, events) => {
  expect(observed(...frames)).toStrictEqual(events)
})

it('the last event closes what is open, and tells what was not told', () => {
  const { events } = decodeAll([
    created,
    added(0, plain),
    of('output_text.delta', { delta: 'a' }),
    added(1, { type: 'reasoning', summary: [] }),
    completed({
      output: [words('ab'), { type: 'reasoning', summary: [summary('c')] }, words('d')],
    }),
  ])
  expect(events.slice(1, -2)).toStrictEqual([
    text(0),
    delta(0, 'a'),
    delta(0, 'b'),
    part(1, { type: 'thinking', text: 'c' }),
    part(2, { type: 'text', text: 'd' }),
  ])
})

it('what a response says at its end only comes late', () => {
  const late = (first: object, last: object) =>
    decodeAll([{ type: 'response.created', response: { id: 'r', ...first } }, completed(last)])
      .events.filter(each => each.type === 'unknown-fields')
      .map(each => each.unknownFields.fields)
  expect(late({ model: 'm' }, { service_tier: 'default', completed_at: 9 })).toStrictEqual([
    { service_tier: 'default', echo: { completed_at: 9 } },
  ])
  expect(late({ model: 'x', service_tier: 'flex' }, { service_tier: 'default' })).toStrictEqual([
    { service_tier: 'default', model: 'm' },
  ])
  expect(late({ model: 'm' }, { moderation: {} })).toStrictEqual([{ moderation: {} }])
  const same = { model: 'm', service_tier: 'flex', moderation: {}, store: true }
  expect(late(same, same)).toStrictEqual([])
  expect(late(same, { ...same, model: undefined, service_tier: 'auto' })).toStrictEqual([])
})

it.each([
  ['response.completed', { status: 'completed' }, { reason: 'stop' }],
  [
    'response.incomplete',
    { status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } },
    { reason: 'length' },
  ],
  [
    'response.cancelled',
    { status: 'cancelled' },
    { reason: 'other', ...own({ status: 'cancelled' }) },
  ],
  ['response.completed', { status: 'in_progress' }, undefined],
])('%s with %j is the end, and nothing comes after it', (type, state, finish) => {
  const last = { type, response: { id: 'r', model: 'm', ...state } }
  const { events, malformedFrames } = decodeAll([
    last,
    '[DONE]',
    created,
    { type: 'error', message: 'no' },
    '{',
  ])
  expect({ events, malformedFrames }).toStrictEqual({
    events: [
      { type: 'start', id: 'r', model: 'm' },
      ...(finish ? [{ type: 'finish', finish }] : []),
      { type: 'end' },
    ],
    malformedFrames: 0,
  })
})

it.each<[unknown, string, object]>([
  // As the reference has it, and as the service sends it.
  [
    { type: 'error', code: 'c', message: 'm', param: null, sequence_number: 1 },
    '',
    { message: 'm', type: 'error', code: 'c', ...own({ sequence_number: 1 }) },
  ],
  [
    { type: 'error', error: { type: 't', code: 'c', message: 'm', param: 'p' } },
    'error',
    { message: 'm', type: 't', code: 'c', ...own({ param: 'p' }) },
  ],
  [
    { type: 'response.failed', response: { error: { code: 429, message: null } } },
    'response.failed',
    { message: '', type: '', code: '429' },
  ],
  [{ type: 'response.failed', response: {} }, '', { message: '', type: '', code: '' }],
  // As proxies and other vendors say it; the official client throws at each `error`.
  [{ type: 't', message: 'm' }, 'error', { message: 'm', type: 't', code: '' }],
  [{ type: 'x', error: { message: 'm' } }, 'error', { message: 'm', type: '', code: '' }],
  [{ error: { message: 'm', code: 'c' } }, '', { message: 'm', type: '', code: 'c' }],
])('%j in an event %j is a failure', (frame, event, failure) => {
  const { events, malformedFrames } = decodeAll([frame, created], event)
  expect(events.filter(each => each.type !== 'start')).toStrictEqual([{ type: 'failure', failure }])
  expect(malformedFrames).toBe(0)
})

it('a stream that stops is a failure, and one without a beginning has one', () => {
  const { events } = decodeAll([' [DONE]\n', { type: 'response.new' }])
  expect(events).toStrictEqual([
    { type: 'start', id: '', model: '' },
    { type: 'opaque', dialect: 'openai-responses', name: 'response.new', value: {} },
    {
      type: 'failure',
      failure: {
        message: 'The answer ended without its last event.',
        type: 'server_error',
        code: 'stream_broken',
      },
    },
  ])
})

it('a beginning that says nothing is none', () => {
  const nothing = [null, 'x'].map(response => ({ type: 'response.created', response }))
  expect(decodeAll([...nothing, created]).events[0]).toStrictEqual({
    type: 'start',
    id: 'r',
    model: 'm',
  })
})

it.each([
  ...['{', '7', 'null', '[]', '"x"', '{}'],
  ...[null, 'x', [], undefined].flatMap(odd => [
    added(0, odd as object),
    done(0, odd as object),
    of('completed', { response: odd }),
    of('incomplete', { response: odd }),
  ]),
  ...['output_text', 'refusal', 'reasoning_summary_text', 'reasoning_text'].map(each =>
    of(`${each}.delta`, { delta: 7 }),
  ),
  of('function_call_arguments.delta', {}),
  of('custom_tool_call_input.delta', { delta: null }),
  of('content_part.added', {}),
  of('content_part.added', { part: { type: 7 } }),
  of('reasoning_summary_part.added', { part: null }),
])('%j is no frame: it is counted and left out', frame => {
  const { events, malformedFrames } = decodeAll([frame])
  expect([events.map(each => each.type), malformedFrames]).toEqual([['failure'], 1])
})

it('an item is told once, whatever its number in the stream and in the last event', () => {
  const message = (id: string | undefined, text: string) => ({
    ...(id === undefined ? {} : { id }),
    ...{ type: 'message', role: 'assistant', status: 'completed' },
    content: [{ type: 'output_text', text, annotations: [] }],
  })
  const textsOf = (streamed: object, ...output: object[]) =>
    decodeAll([
      { type: 'response.created', response: begun },
      added(2, { ...streamed, content: [] }),
      { type: 'response.output_text.delta', output_index: 2, content_index: 0, delta: 'Hello.' },
      done(2, streamed),
      { type: 'response.completed', response: { ...blank, status: 'completed', output, usage } },
    ]).events.flatMap(each =>
      each.type === 'delta' || each.type === 'part'
        ? [each.type === 'delta' ? each.text : (each.part as { text?: string }).text]
        : [],
    )
  const hello = message('msg_1', 'Hello.')
  expect(textsOf(hello, hello).join('')).toBe('Hello.')
  expect(textsOf(hello, hello, message('msg_2', ' More.')).join('')).toBe('Hello. More.')
  expect(textsOf(message(undefined, 'Hello.'), message(undefined, 'Hello.')).join('')).toBe(
    'Hello.',
  )
  expect(textsOf(hello, message('msg_of_the_proxy', 'Hello.')).join('')).toBe('Hello.')
})
