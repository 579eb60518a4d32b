import { expect, it } from 'vitest'
import type { ChatEvent } from './canon.ts'
import { collectAnswer } from './collect.ts'
import { anthropic, gemini, openaiChat, openaiResponses } from './index.ts'
import type { Json } from './json/json.ts'

// Relays written in Go send every field that they know, empty in place of absent.

const empties = ['', null, [], {}, 0, { id: '', name: '', arguments: '', data: '', expires_at: 0 }]

const usage = { prompt_tokens: 9, completion_tokens: 3, total_tokens: 12 }
const call = { id: 'c', type: 'function', function: { name: 'f', arguments: '{}' } }
const chat = {
  id: 'a',
  created: 5,
  model: 'm',
  choices: [
    { index: 0, finish_reason: 'tool_calls', message: { content: 'x', tool_calls: [call] } },
  ],
  usage,
}
const chunk = (delta: object, more = {}) => ({
  id: 'a',
  created: 5,
  model: 'm',
  choices: [{ index: 0, delta, ...more }],
})
const chatChunks = [
  chunk({ content: 'x' }),
  chunk({ tool_calls: [{ index: 0, ...call }] }),
  chunk({}, { finish_reason: 'tool_calls' }),
  { id: 'a', created: 5, model: 'm', choices: [], usage },
]

const ofMessage = [
  ...['refusal', 'annotations', 'audio', 'images', 'function_call', 'reasoning_content'],
  ...['reasoning', 'reasoning_details', 'thinking_blocks', 'extra_content', 'name'],
]

const decodeAll = (frames: readonly object[]) => {
  const events: ChatEvent[] = []
  const decoder = openaiChat.decodeFrames(event => events.push(event))
  for (const frame of frames) decoder.pushFrame(JSON.stringify(frame), '')
  decoder.pushFrame('[DONE]', '')
  return collectAnswer(events)
}
const copyOf = <T>(value: T): T => structuredClone(value)

it.each(ofMessage)('an empty %s of a message is an absent one', field => {
  const expected = openaiChat.decodeAnswer(chat)
  const expectedStream = decodeAll(chatChunks)
  for (const empty of empties) {
    const whole: Json = copyOf(chat)
    whole.choices[0].message[field] = empty
    expect([empty, openaiChat.decodeAnswer(whole)]).toEqual([empty, expected])
    const chunks: Json = copyOf(chatChunks)
    for (const each of chunks) if (each.choices[0]) each.choices[0].delta[field] = empty
    expect([empty, decodeAll(chunks)]).toEqual([empty, expectedStream])
  }
})

it.each(['custom', 'extra_content'])('an empty %s of a call is an absent one', field => {
  for (const empty of empties) {
    const whole: Json = copyOf(chat)
    whole.choices[0].message.tool_calls[0][field] = empty
    expect(openaiChat.decodeAnswer(whole)).toEqual(openaiChat.decodeAnswer(chat))
    const chunks: Json = copyOf(chatChunks)
    chunks[1].choices[0].delta.tool_calls[0][field] = empty
    expect(decodeAll(chunks)).toEqual(decodeAll(chatChunks))
  }
})

it.each(['service_tier', 'system_fingerprint', 'usage', 'x_groq'])(
  'an empty %s of a chunk is an absent one, and replaces none before it',
  field => {
    for (const empty of [...empties, { prompt_tokens: 0, completion_tokens: 0 }]) {
      const chunks: Json[] = [...copyOf(chatChunks), chunk({})]
      for (const each of chunks) if (!each.usage || field !== 'usage') each[field] = empty
      expect([empty, decodeAll(chunks)]).toEqual([empty, decodeAll([...chatChunks, chunk({})])])
    }
  },
)

it('an empty finish reason of a chunk is an absent one', () => {
  const chunks: Json = copyOf(chatChunks)
  for (const at of [0, 1]) chunks[at].choices[0].finish_reason = ''
  expect(decodeAll(chunks)).toEqual(decodeAll(chatChunks))
})

it.each([
  ['openaiChat', openaiChat, { choices: [{ message: { content: 'x' }, finish_reason: '' }] }],
  ['anthropic', anthropic, { content: [{ type: 'text', text: 'x' }], stop_reason: '' }],
  ['gemini', gemini, { candidates: [{ content: { parts: [{ text: 'x' }] }, finishReason: '' }] }],
] as const)('a whole answer of %s with an empty reason has ended', (_, dialect, body) => {
  const answer = dialect.decodeAnswer(body)
  expect(answer.choices[0]?.finish).toBeUndefined()
  expect(openaiResponses.encodeResponse(answer).body.status).toBe('completed')
})

it.each([
  { promptFeedback: { blockReason: '' } },
  { promptFeedback: {} },
  { promptFeedback: { blockReason: 'BLOCK_REASON_UNSPECIFIED' } },
])('%j does not block a prompt of Gemini', more => {
  const body = { candidates: [], ...more }
  expect(gemini.decodeAnswer(body).choices).toEqual([])
})

it('a call of Gemini without a name and arguments is an absent one', () => {
  const part = { text: 'x', functionCall: { name: '', args: {} } }
  const body = (parts: object[]) => ({ candidates: [{ content: { parts }, finishReason: 'STOP' }] })
  expect(gemini.decodeAnswer(body([part]))).toEqual(gemini.decodeAnswer(body([{ text: 'x' }])))
})

// Every place and name of usage in a chat body: https://console.groq.com/docs, https://platform.moonshot.ai/docs
const counted = { input: 9, output: 3 }
const claude = { input_tokens: 9, output_tokens: 3 }
it.each([
  ['at the top', { usage }, counted],
  ['of Groq', { x_groq: { id: 'g', usage } }, counted],
  ['of Groq beside an empty one', { usage: {}, x_groq: { usage } }, counted],
  ['in the names of Anthropic', { usage: claude }, counted],
  [
    'in the names of Anthropic with its cache',
    { usage: { ...claude, cache_read_input_tokens: 5, cache_creation_input_tokens: 2 } },
    { ...counted, cacheRead: 5, cacheWrite5m: 2 },
  ],
  [
    'in the names of Responses',
    { usage: { ...claude, input_tokens_details: { cached_tokens: 4 }, prompt_tokens: 0 } },
    { input: 5, cacheRead: 4, output: 3 },
  ],
  [
    'with a second name beside a 0',
    {
      usage: { ...usage, prompt_tokens_details: { cached_tokens: 0 }, prompt_cache_hit_tokens: 4 },
    },
    { input: 5, cacheRead: 4, output: 3 },
  ],
] as const)(
  'the usage %s is read, whole and streamed, translated and passed through',
  (_, more, expected) => {
    const { usage: _usage, ...rest } = chat
    const whole = { ...rest, ...more }
    const last = { ...chunk({}, { finish_reason: 'stop' }), ...more }
    expect(openaiChat.decodeAnswer(whole).reportedUsage?.usage).toMatchObject(expected)
    expect(decodeAll([last]).reportedUsage?.usage).toMatchObject(expected)
    const summary = openaiChat.readAnswer(Buffer.from(JSON.stringify(whole)))
    expect(summary).toMatchObject({ ok: true, usage: expected })
    const observer = openaiChat.observeStream({ wantsUsage: true, n: 1 } as Parameters<
      typeof openaiChat.observeStream
    >[0])
    observer.push(Buffer.from(`data: ${JSON.stringify(last)}\n\n`))
    expect(observer.usage()).toMatchObject(expected)
  },
)

it('the output of Gemini without a count is the total less the prompt', () => {
  const counts = { promptTokenCount: 9, totalTokenCount: 12 }
  expect(gemini.decodeUsage(counts)).toMatchObject({ input: 9, output: 3, reasoning: 0 })
})

const cited = { type: 'url_citation', url_citation: { url: 'https://a.example', title: 'A' } }
it('sources before the text are those of the text, wherever they come', () => {
  const deltas = [{ annotations: [cited] }, { content: 'x' }]
  const end = chunk({}, { finish_reason: 'stop' })
  const answers = [deltas, deltas.toReversed()].map(list =>
    decodeAll([...list.map(each => chunk(each)), end]),
  )
  expect(answers[0]).toEqual(answers[1])
  expect(answers[0]?.choices[0]?.parts).toMatchObject([{ citations: [{ title: 'A' }] }])
})

it('sources without any text are noted, whole and streamed', () => {
  const message = { annotations: [cited], tool_calls: [call] }
  const noted = { fields: { message: { annotations: [cited] } } }
  const whole = openaiChat.decodeAnswer({ ...chat, choices: [{ message }] })
  expect(whole.choices[0]?.unknownFields).toMatchObject(noted)
  const stream = decodeAll([chunk(message), chunk({}, { finish_reason: 'stop' })])
  expect(stream.choices[0]?.unknownFields).toMatchObject(noted)
})

it('the signature of a block of LiteLLM is that of its thought', () => {
  const signature = { dialect: 'anthropic', text: 'sig' }
  const message = {
    reasoning_content: 'so',
    thinking_blocks: [{ type: 'thinking', thinking: 'so', signature: 'sig' }],
  }
  const expected = [{ type: 'thinking', text: 'so', signature }]
  expect(openaiChat.decodeAnswer({ choices: [{ message }] }).choices[0]?.parts).toEqual(expected)
  const frames = [
    chunk({ reasoning_content: 'so', thinking_blocks: [{ type: 'thinking', thinking: 'so' }] }),
    chunk({ thinking_blocks: [{ type: 'thinking', thinking: '', signature: 'sig' }] }),
    chunk({}, { finish_reason: 'stop' }),
  ]
  expect(decodeAll(frames).choices[0]?.parts).toEqual(expected)
})
