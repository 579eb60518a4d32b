import { expect, it } from 'vitest'
import type { Part, TextPart, UnknownFields } from '../canon.ts'
import { openaiResponses } from './index.ts'

// https://platform.openai.com/docs/api-reference/responses/object: `output`

const read = (...output: unknown[]): Part[] =>
  openaiResponses.decodeAnswer({ id: 'r', output }).choices[0]?.parts ?? []
const write = (...parts: Part[]) => {
  const answer = { id: 'r', model: 'm', choices: [{ parts }] }
  const { body, warnings } = openaiResponses.encodeResponse(answer)
  return { output: body.output, dropped: warnings.map(each => each.dropped) }
}
const own = (fields: Record<string, unknown>): { unknownFields: UnknownFields } => ({
  unknownFields: { dialect: 'openai-responses', fields },
})
const marked = (item: Record<string, unknown>) => own({ item })
const opaque = (value: unknown): Part => ({ type: 'opaque', dialect: 'openai-responses', value })
const text = (words: string, more: Partial<TextPart> = {}): TextPart => ({
  type: 'text',
  text: words,
  ...more,
})

const done = { status: 'completed' }
const message = { type: 'message', role: 'assistant', ...done }
const outputText = (words: string) => ({
  type: 'output_text',
  annotations: [],
  logprobs: [],
  text: words,
})
const annotation = {
  type: 'url_citation',
  url: 'https://a.example',
  title: 't',
  start_index: 0,
  end_index: 2,
}
const logprob = {
  token: 'a',
  bytes: [97],
  logprob: -0.5,
  top_logprobs: [{ token: 'b', bytes: [98], logprob: -1 }],
}
const thought = { type: 'reasoning', id: 'rs_r_0', summary: [] }
const summary = (words: string) => ({ type: 'summary_text', text: words })
const reasoning = (words: string) => ({ type: 'reasoning_text', text: words })
const signature = { dialect: 'openai-responses', text: 'gAAA' } as const

it.each<[string, object, Part[]]>([
  [
    'an answer',
    { id: 'msg_1', ...message, content: [outputText('a')] },
    [text('a', marked({ id: 'msg_1' }))],
  ],
  [
    'an answer whose id is of us, and which is not whole',
    { id: 'msg_r_0', ...message, status: 'incomplete', content: [outputText('a')] },
    [text('a', marked({ status: 'incomplete' }))],
  ],
  [
    'an answer in two parts, one of which is a refusal',
    {
      id: 'msg_1',
      ...message,
      phase: 'final_answer',
      content: [outputText('a'), { type: 'refusal', refusal: 'no', odd: 1 }],
    },
    [
      text('a', marked({ id: 'msg_1', phase: 'final_answer' })),
      text('no', { refusal: true, ...own({ odd: 1 }) }),
    ],
  ],
  [
    'sources and probabilities',
    {
      id: 'msg_r_0',
      ...message,
      content: [{ ...outputText('a'), annotations: [annotation], logprobs: [logprob] }],
    },
    [
      text('a', {
        citations: [
          {
            url: 'https://a.example',
            title: 't',
            start: 0,
            end: 2,
            raw: { dialect: 'openai-responses', value: annotation },
          },
        ],
        logprobs: [
          {
            token: 'a',
            logprob: -0.5,
            bytes: [97],
            top: [{ token: 'b', bytes: [98], logprob: -1 }],
          },
        ],
      }),
    ],
  ],
  [
    'a thought in several pieces, with its proof at the end',
    {
      ...thought,
      summary: [summary('a'), summary('b')],
      content: [reasoning('c'), reasoning('d')],
      encrypted_content: 'gAAA',
    },
    [
      { type: 'thinking', text: 'a', ...marked({}) },
      { type: 'thinking', text: 'b' },
      { type: 'thinking', text: 'c', ...own({ of: 'content' }) },
      { type: 'thinking', text: 'd', signature, ...own({ of: 'content' }) },
    ],
  ],
  [
    'a thought in two pieces, of which the second has the proof',
    { ...thought, summary: [summary('a'), summary('b')], encrypted_content: 'gAAA' },
    [
      { type: 'thinking', text: 'a', ...marked({}) },
      { type: 'thinking', text: 'b', signature },
    ],
  ],
  [
    'a thought in one piece',
    { ...thought, summary: [summary('a')], encrypted_content: 'gAAA' },
    [{ type: 'thinking', text: 'a', signature }],
  ],
  [
    'an open thought with a state',
    { ...thought, id: 'rs_1', ...done, content: [reasoning('a')] },
    [{ type: 'thinking', text: 'a', ...own({ item: { id: 'rs_1', ...done }, of: 'content' }) }],
  ],
  [
    'a thought that is only a proof',
    { ...thought, id: 'rs_1', encrypted_content: 'gAAA' },
    [{ type: 'thinking', text: '', redacted: true, signature, ...marked({ id: 'rs_1' }) }],
  ],
  [
    'a call',
    { id: 'fc_1', type: 'function_call', ...done, call_id: 'c', name: 'f', arguments: '{}' },
    [{ type: 'tool-call', id: 'c', name: 'f', input: '{}', ...marked({ id: 'fc_1' }) }],
  ],
  [
    'a call of a custom tool',
    { id: 'ctc_r_0', type: 'custom_tool_call', ...done, call_id: 'c', name: 'f', input: 'x' },
    [{ type: 'tool-call', id: 'c', name: 'f', input: 'x', custom: true }],
  ],
  [
    'a picture',
    {
      id: 'ig_1',
      type: 'image_generation_call',
      ...done,
      output_format: 'webp',
      revised_prompt: 'p',
      result: 'AAAA',
    },
    [
      {
        type: 'media',
        mime: 'image/webp',
        base64: 'AAAA',
        ...marked({
          id: 'ig_1',
          output_format: 'webp',
          revised_prompt: 'p',
          kind: 'image_generation_call',
        }),
      },
    ],
  ],
  ...[
    { id: 'ws_1', type: 'web_search_call', ...done, action: { type: 'search', query: 'q' } },
    { id: 'ig_1', type: 'image_generation_call', ...done, result: null },
    thought,
    { ...thought, encrypted_content: '' },
    { ...thought, encrypted_content: 7 },
    { ...thought, summary: [{ type: 'summary_text' }], encrypted_content: 'gAAA' },
    { ...thought, content: [null], encrypted_content: 'gAAA' },
    { id: 'msg_1', ...message, content: [] },
    { id: 'msg_1', ...message, content: null },
    { id: 'msg_1', ...message, content: [outputText('a'), { type: 'new', text: 'a' }] },
    { id: 'msg_1', ...message, content: [{ type: 'output_text', text: 7 }] },
    { id: 'msg_1', ...message, content: [{ type: 'input_text' }] },
    { id: 'msg_1', ...message, content: [{ type: 'refusal', text: 'no' }] },
    { id: 'msg_1', ...message, content: [{ type: 'new', refusal: 'no' }] },
    { id: 'msg_1', ...message, content: [null] },
  ].map((odd): [string, object, Part[]] => [
    `as it is: ${JSON.stringify(odd)}`,
    odd,
    [opaque(odd)],
  ]),
])('%s is read, and written as it stood', (_, item, parts) => {
  expect(read(item)).toStrictEqual(parts)
  expect(write(...parts)).toStrictEqual({ output: [item], dropped: [] })
})

it.each<[object, Part]>([
  [{ type: 'message', content: 'a' }, text('a')],
  [{ type: 'message', content: [{ type: 'input_text', text: 'a' }] }, text('a')],
  [{ type: 'message', status: 'in_progress', content: 'a' }, text('a')],
  [
    { type: 'function_call', id: 'fc_1' },
    { type: 'tool-call', id: 'fc_1', name: '', input: '', ...marked({ id: 'fc_1' }) },
  ],
  [
    { type: 'function_call', input: 'x', arguments: null },
    { type: 'tool-call', id: '', name: '', input: '' },
  ],
  [
    { type: 'custom_tool_call', arguments: 'x' },
    { type: 'tool-call', id: '', name: '', input: '', custom: true },
  ],
  [
    { type: 'image_generation_call', result: 'AAAA' },
    {
      type: 'media',
      mime: 'image/png',
      base64: 'AAAA',
      ...marked({ kind: 'image_generation_call' }),
    },
  ],
])('what vendors leave out is taken as nothing: %j', (item, part) => {
  expect(read(item)).toStrictEqual([part])
})

it.each([
  [{ url: 'u', title: 't', filename: 'f', start_index: 1, end_index: 2 }, ['u', 't', 1, 2]],
  [{ filename: 'f', file_id: 'x', index: 3 }, [undefined, 'f', undefined, undefined]],
  [{ url: 7, title: 8, start_index: 1.5, end_index: '2' }, []],
  [null, []],
])('a source is read as far as it is one: %j', (value, [url, title, start, end]: unknown[]) => {
  const given = { url, title, start, end, raw: { dialect: 'openai-responses', value } }
  const citation = Object.fromEntries(
    Object.entries(given).filter(([, each]) => each !== undefined),
  )
  const content = [{ type: 'output_text', text: 'a', annotations: [value] }]
  expect(read({ type: 'message', content })).toStrictEqual([text('a', { citations: [citation] })])
})

it('probabilities need neither bytes nor others beside them', () => {
  const content = [{ type: 'output_text', text: 'a', logprobs: [{ token: 'a', logprob: -1 }] }]
  const part = text('a', { logprobs: [{ token: 'a', logprob: -1 }] })
  expect(read({ type: 'message', content })).toStrictEqual([part])
  const top = [
    { token: 'é', logprob: -2 },
    { token: 'b', logprob: -3, bytes: [1] },
  ]
  const { output } = write(text('é', { logprobs: [{ token: 'é', logprob: -1, top }] }))
  expect(output).toMatchObject([
    {
      content: [
        {
          logprobs: [
            {
              token: 'é',
              bytes: [0xc3, 0xa9],
              logprob: -1,
              top_logprobs: [
                { token: 'é', bytes: [0xc3, 0xa9], logprob: -2 },
                { token: 'b', bytes: [1], logprob: -3 },
              ],
            },
          ],
        },
      ],
    },
  ])
  expect(write(part).output).toMatchObject([
    { content: [{ logprobs: [{ token: 'a', bytes: [97], logprob: -1, top_logprobs: [] }] }] },
  ])
})

it('every item without an id gets one that says what it is', () => {
  const { output } = write(
    text('a'),
    { type: 'thinking', text: 'b' },
    { type: 'tool-call', id: 'c', name: 'f', input: '{}' },
    { type: 'tool-call', id: 'd', name: 'g', input: 'x', custom: true },
    { type: 'media', mime: 'image/png', base64: 'AAAA' },
    opaque({ type: 'new' }),
  )
  expect(output).toStrictEqual([
    { id: 'msg_r_0', ...message, content: [outputText('a')] },
    { id: 'rs_r_1', type: 'reasoning', summary: [summary('b')] },
    { id: 'fc_r_2', type: 'function_call', ...done, call_id: 'c', name: 'f', arguments: '{}' },
    { id: 'ctc_r_3', type: 'custom_tool_call', ...done, call_id: 'd', name: 'g', input: 'x' },
    { id: 'ig_r_4', type: 'image_generation_call', ...done, output_format: 'png', result: 'AAAA' },
    { id: 'item_r_5', type: 'new' },
  ])
  expect(read(...(output as object[])).map(part => part.unknownFields)).toStrictEqual([
    ...Array(4).fill(undefined),
    marked({ output_format: 'png', kind: 'image_generation_call' }).unknownFields,
    undefined,
  ])
})
