import { type ChatEvent, collectAnswer, openaiChat } from '@hub/dialects'
import { expect, it } from 'vitest'
import { addressOf } from '../address.ts'
import { conform } from '../conform.ts'
import { cozeChat } from './dialect.ts'
import provider from './index.ts'

conform(
  provider,
  import.meta.url,
  { 'fault-200.json': 'upstream.credential', 'fault-401.json': 'upstream.credential' },
  {
    format: {
      path: /\/v3\/chat$/,
      model: 'bot_id',
      messages: 'additional_messages',
      usage: 'usage',
      totals: ({ input_count, token_count }) => ({ input: input_count, total: token_count }),
      streamsOnly: true,
    },
  },
)

const encoded = (fields: object) => {
  const messages = [{ role: 'user', content: '2024年10月1日是星期几' }]
  const read = openaiChat.decodeRequest({ model: 'coze-7348293334459318', messages, ...fields })
  if (!read.ok) throw new Error(read.hint)
  const { body, warnings, refusal } = cozeChat.encodeRequest(read.request)
  const sent = JSON.parse(JSON.stringify(body))
  return { sent, refusal, lost: warnings.map(each => each.dropped) }
}

it('writes the documented example, without a history at the vendor', () => {
  expect(encoded({ user: '123456789' }).sent).toEqual({
    bot_id: '7348293334459318',
    user_id: '123456789',
    stream: true,
    auto_save_history: false,
    additional_messages: [{ role: 'user', content: '2024年10月1日是星期几', content_type: 'text' }],
  })
})

it('gives callers without a user an id of their own, so that bots do not mix their memories', () => {
  const [one, other] = [encoded({}), encoded({})].map(({ sent }) => sent.user_id)
  expect(one).toMatch(/^[\da-f-]{36}$/)
  expect(one).not.toBe(other)
})

it('writes instructions, answers and addresses of files as the vendor has them', () => {
  const url = 'https://files.example/a.png'
  const { sent, lost } = encoded({
    messages: [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'Hi' },
      { role: 'assistant', content: 'Hello' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Which colour?' },
          { type: 'image_url', image_url: { url } },
        ],
      },
    ],
    temperature: 0.5,
    max_tokens: 9,
    tools: [{ type: 'function', function: { name: 'look_up' } }],
  })
  expect(sent.additional_messages).toEqual([
    { role: 'user', content: 'Be brief.', content_type: 'text' },
    { role: 'user', content: 'Hi', content_type: 'text' },
    { role: 'assistant', type: 'answer', content: 'Hello', content_type: 'text' },
    {
      role: 'user',
      content: JSON.stringify([
        { type: 'text', text: 'Which colour?' },
        { type: 'image', file_url: url },
      ]),
      content_type: 'object_string',
    },
  ])
  expect(lost.sort()).toEqual(['messages.system (role)', 'outputMax', 'temperature', 'tools'])
})

const call = { id: 'c1', type: 'function', function: { name: 'look_up', arguments: '{}' } }
it.each([
  [
    { tool_choice: 'required', tools: [{ type: 'function', function: { name: 'a' } }] },
    'tool_choice',
  ],
  [{ response_format: { type: 'json_object' } }, 'response_format'],
  [{ n: 2 }, "'n'"],
  [{ messages: [{ role: 'assistant', content: null, tool_calls: [call] }] }, 'tool calls'],
  [
    {
      messages: [
        {
          role: 'user',
          content: [{ type: 'image_url', image_url: { url: 'data:image/png;base64,aGk=' } }],
        },
      ],
    },
    'public URL',
  ],
])('%j is refused, because the answer would be a wrong one', (fields, text) => {
  expect(encoded(fields).refusal).toContain(text)
})

const decode = (frames: readonly (readonly [string, unknown])[]) => {
  const events: ChatEvent[] = []
  const decoder = cozeChat.decodeFrames(event => events.push(event))
  for (const [event, data] of frames) decoder.pushFrame(JSON.stringify(data), event)
  decoder.end()
  return { events, last: events.at(-1), parts: collectAnswer(events).choices[0]?.parts }
}
const message = { id: '1', role: 'assistant', type: 'answer', content_type: 'text' }

it('reads thoughts, and messages that arrive in one piece', () => {
  const { parts, last } = decode([
    ['conversation.message.delta', { ...message, reasoning_content: 'Hm.' }],
    ['conversation.message.delta', { ...message, content: 'Yes.' }],
    ['conversation.message.completed', { ...message, content: 'Yes.' }],
    ['conversation.message.completed', { ...message, type: 'follow_up', content: 'Why?' }],
    ['conversation.message.completed', { ...message, id: '2', content: ' No.' }],
    ['conversation.chat.completed', { id: '9' }],
    ['done', '[DONE]'],
  ])
  expect(last?.type).toBe('end')
  expect(parts).toEqual([
    { type: 'thinking', text: 'Hm.' },
    { type: 'text', text: 'Yes. No.' },
  ])
})

it.each([
  [['conversation.chat.failed', { last_error: { code: 4028, msg: 'Quota' } }], 'Quota', '4028'],
  [
    ['error', { code: 4100, msg: 'authentication is invalid' }],
    'authentication is invalid',
    '4100',
  ],
  [['conversation.chat.requires_action', {}], 'The bot waits', ''],
  [['conversation.message.delta', { ...message, content: 'a' }], 'The stream ended', ''],
] as const)('a stream with %j fails', (frame, text, code) => {
  expect(decode([frame]).last).toMatchObject({
    type: 'failure',
    failure: { message: expect.stringContaining(text), code },
  })
})

it.each([
  ['', 'https://api.coze.com/v3/chat'],
  ['https://api.coze.cn/', 'https://api.coze.cn/v3/chat'],
  ['https://api.coze.cn/open_api', 'https://api.coze.cn/v3/chat'],
])('a channel at %j calls %s', (baseUrl, address) => {
  const channel = { model: 'm', stream: true, options: {}, other: '', baseUrl }
  const called = addressOf(provider, provider.serves.chat![0]!, channel)
  expect(new URL(called!).href).toBe(address)
})
