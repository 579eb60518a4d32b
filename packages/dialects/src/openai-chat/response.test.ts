import { expect, it } from 'vitest'
import type { ChatAnswer, Choice, Part } from '../canon.ts'
import type { EncodeOptions } from '../dialect.ts'
import { noUsage } from '../usage.ts'
import { openaiChat } from './index.ts'

const dialectId = 'openai-chat'
const read = (body: unknown) => openaiChat.decodeAnswer(body)
const write = (answer: Partial<ChatAnswer>, options?: EncodeOptions) => {
  const { body, warnings } = openaiChat.encodeResponse(
    { id: 'r', model: 'm', choices: [], ...answer },
    options,
  )
  return { body, dropped: warnings.map(each => each.dropped) }
}
const mine = { dialect: dialectId, fields: { x: 1 } } as const
const foreign = { dialect: 'gemini', fields: { a: 1 } } as const
const head = { id: 'r', object: 'chat.completion', created: 5, model: 'm' }
const text = (words: string) => ({ type: 'text', text: words }) as const
const weighed = { token: 'hi', logprob: -1, bytes: [104, 105] }

// https://platform.openai.com/docs/api-reference/chat/object
it('an answer goes and comes back, field by field', () => {
  const usage = { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 }
  const logprob = { ...weighed, top_logprobs: [weighed] }
  const body = {
    ...head,
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content: 'hi', refusal: 'no', z: 1 },
        logprobs: { content: [logprob], refusal: [logprob] },
        finish_reason: 'stop',
        y: 1,
      },
      {
        index: 1,
        message: { role: 'assistant', content: 'hi', refusal: null },
        logprobs: null,
        finish_reason: 'length',
      },
    ],
    usage,
    service_tier: 'flex',
    x: 1,
  }
  const logprobs = [{ ...weighed, top: [weighed] }]
  const answer = {
    id: 'r',
    model: 'm',
    createdAt: 5,
    tier: 'flex',
    choices: [
      {
        parts: [
          { ...text('hi'), logprobs },
          { ...text('no'), refusal: true, logprobs },
        ],
        finish: { reason: 'stop' },
        unknownFields: { dialect: dialectId, fields: { y: 1, message: { z: 1 } } },
      },
      { parts: [text('hi')], finish: { reason: 'length' } },
    ],
    reportedUsage: {
      usage: { ...noUsage(), input: 1, output: 2, served: { tier: 'flex' } },
      unknownFields: { dialect: dialectId, fields: usage },
    },
    unknownFields: mine,
  }
  expect(read(body)).toEqual(answer)
  expect(write(answer as ChatAnswer)).toEqual({ body, dropped: [] })
})

it.each([
  [null, { id: '', model: '', choices: [] }],
  [
    { created: '5', service_tier: 5, choices: 'x', usage: null },
    { id: '', model: '', choices: [] },
  ],
  // Noise that hides the length of an answer is no field of it.
  [
    { obfuscation: 'x', object: 'chat.completion' },
    { id: '', model: '', choices: [] },
  ],
  [
    { choices: [null, { message: { content: 'a' } }] },
    { choices: [{ parts: [] }, { parts: [text('a')] }] },
  ],
  [
    { choices: [{ index: 1, message: { content: 'b' } }] },
    { choices: [{ parts: [] }, { parts: [text('b')] }] },
  ],
  [
    {
      choices: [
        { index: 1, message: { content: 'b' } },
        { index: 0, message: { content: 'a' } },
      ],
    },
    { choices: [{ parts: [text('a')] }, { parts: [text('b')] }] },
  ],
  [{ choices: [{ index: 0, finish_reason: '', logprobs: {} }] }, { choices: [{ parts: [] }] }],
  [
    { choices: [{ finish_reason: 5, message: { content: 'a' }, logprobs: { content: [] } }] },
    { choices: [{ parts: [text('a')] }] },
  ],
  [
    {
      choices: [
        { message: { content: 'a' }, logprobs: { content: [null, { top_logprobs: 'x' }] } },
      ],
    },
    { choices: [{ parts: [{ ...text('a'), logprobs: [{}, {}] }] }] },
  ],
  // Moonshot tells the usage inside the choice.
  [
    { choices: [{ usage: { prompt_tokens: 3 } }] },
    { choices: [{ parts: [] }], reportedUsage: { usage: { input: 3 } } },
  ],
])('%j is read as %j', (body, answer) => {
  expect(read(body)).toMatchObject(answer)
  for (const key of ['createdAt', 'tier', 'unknownFields', 'reportedUsage'])
    expect(key in read(body)).toBe(key in answer)
  for (const [at, choice] of answer.choices.entries())
    expect(Object.keys(read(body).choices[at]!)).toEqual(Object.keys(choice))
})

// https://platform.openai.com/docs/api-reference/chat/object#chat-object-choices-finish_reason
it.each([
  ['stop', 'stop', []],
  ['length', 'length', []],
  ['tool_calls', 'tools', []],
  ['content_filter', 'filter', []],
  ['function_call', 'tools', ['finish_reason']],
  // Mistral's.
  ['model_length', 'length', ['finish_reason']],
  // OpenRouter's.
  ['error', 'error', []],
  ['toString', 'other', ['finish_reason']],
])('the vendor’s word %s means %s, and comes back', (word, reason, kept) => {
  const answer = read({ choices: [{ finish_reason: word }] })
  const { finish } = answer.choices[0]!
  expect(finish).toEqual({
    reason,
    ...(kept.length > 0
      ? { unknownFields: { dialect: dialectId, fields: { finish_reason: word } } }
      : {}),
  })
  expect(write(answer).body.choices).toMatchObject([{ finish_reason: word }])
})

it('a turn that stopped behind a call waits for its tool, whatever the vendor says', () => {
  const message = { tool_calls: [{ id: 'c', function: { name: 'f', arguments: '{}' } }] }
  const reasonOf = (word: string) =>
    read({ choices: [{ message, finish_reason: word }] }).choices[0]?.finish
  expect(reasonOf('stop')).toEqual({
    reason: 'tools',
    unknownFields: { dialect: dialectId, fields: { finish_reason: 'stop' } },
  })
  expect(reasonOf('length')).toEqual({ reason: 'length' })
})

it.each([
  [undefined, 'stop', []],
  [{ reason: 'stop-sequence', sequence: 'END' }, 'stop', ['stop_sequence']],
  [{ reason: 'context-full' }, 'length', []],
  [{ reason: 'tools' }, 'tool_calls', []],
  [{ reason: 'filter' }, 'content_filter', []],
  [{ reason: 'refusal' }, 'content_filter', []],
  [{ reason: 'pause' }, 'length', []],
  [{ reason: 'error' }, 'error', []],
  [{ reason: 'other', unknownFields: foreign }, 'stop', ['a']],
  [{ reason: 'other', unknownFields: mine }, 'stop', []],
])('the end %j is told as %s, and %j is noted', (finish, word, dropped) => {
  const choice = { parts: [], ...(finish ? { finish } : {}) } as Choice
  const result = write({ choices: [choice] })
  expect([result.body.choices, result.dropped]).toMatchObject([[{ finish_reason: word }], dropped])
})

it.each([
  [{}, {}, 0],
  [{}, { createdAt: 7 }, 7],
  [{ createdAt: 5 }, { createdAt: 7 }, 5],
])('%j, told with %j, was made at %i', (answer, options, created) => {
  const { created: _, ...rest } = head
  expect(write(answer, options).body).toEqual({ ...rest, created, choices: [] })
})

it.each([
  [{ usage: 'broken' as const }, undefined],
  [{ usage: 'broken' as const, unknownFields: foreign }, undefined],
  [{ usage: { ...noUsage(), input: 1 }, unknownFields: mine }, { x: 1 }],
  [
    { usage: { ...noUsage(), input: 1 }, unknownFields: foreign },
    { prompt_tokens: 1, total_tokens: 1 },
  ],
])('the usage %j is told as %j', (reportedUsage, usage) => {
  const { body } = write({ reportedUsage })
  if (usage) expect(body.usage).toMatchObject(usage)
  else expect(body).not.toHaveProperty('usage')
})

it('what this dialect has no place for is noted, at the answer and at its choice', () => {
  const result: Part = { type: 'tool-result', id: 'c', parts: [] }
  expect(
    write({
      unknownFields: { ...foreign, fields: { b: 1 } },
      choices: [{ parts: [result], unknownFields: foreign }],
    }).dropped,
  ).toEqual(['b', 'a', 'tool-result'])
})

it('weights of several texts are one list, in the vendor’s shape', () => {
  const logprobs = [{ token: 'hi', logprob: -1, top: [{ token: 'ho', logprob: -2 }] }]
  const given = {
    token: 'hi',
    logprob: -1,
    bytes: null,
    top_logprobs: [{ token: 'ho', logprob: -2, bytes: null }],
  }
  const bare = { token: 'a', logprob: 0 }
  const parts: Part[] = [{ ...text('hi'), logprobs }, { ...text('a'), logprobs: [bare] }, text('b')]
  expect(write({ choices: [{ parts }] }).body.choices).toMatchObject([
    { logprobs: { content: [given, { ...bare, bytes: null, top_logprobs: [] }], refusal: null } },
  ])
})

// Dialects without tools that take any text call them with an object around it.
it.each([
  ['{"input":"ls"}', 'ls'],
  ['{"input":5}', '{"input":5}'],
  ['null', 'null'],
  ['no json', 'no json'],
])('a tool that takes any text is called with it: %s is %s', (input, result) => {
  const call = { type: 'tool-call', id: 'c', name: 'f', input } as const
  const custom = { type: 'custom', name: 'f' } as const
  const request = {
    model: 'm',
    messages: [],
    tools: [custom, { type: 'function' as const, name: 'g' }],
  }
  const parts: Part[] = [call, { ...call, name: 'g' }, { ...call, custom: true }, text('a')]
  const { body } = write({ choices: [{ parts }] }, { request })
  expect(body.choices).toMatchObject([
    {
      message: {
        content: 'a',
        tool_calls: [
          { id: 'c', type: 'custom', custom: { name: 'f', input: result } },
          { id: 'c', type: 'function', function: { name: 'g', arguments: input } },
          { id: 'c', type: 'custom', custom: { name: 'f', input } },
        ],
      },
    },
  ])
})
