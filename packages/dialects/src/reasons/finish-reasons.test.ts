import { describe, expect, it } from 'vitest'
import type { ChatAnswer, ChatEvent, Finish } from '../canon.ts'
import { collectAnswer } from '../collect.ts'
import { dialectOf } from '../index.ts'
import type { Json } from '../json/json.ts'
import {
  type CallerReasons,
  finishReasons,
  finishWords,
  ownEnds,
  ownEndWords,
} from './finish-reasons.ts'

const callers = ['openai-chat', 'openai-responses', 'anthropic', 'gemini'] as const
/** Cohere's format stands in its vendor's folder. */
const upstreams = [...callers, 'converse'] as const
const rowsOf = (dialect: (typeof upstreams)[number]) =>
  finishReasons[dialect].map(([word, reason]) => ({ dialect, word, reason }))
const rows = upstreams.flatMap(rowsOf)

const usage = { input_tokens: 1, output_tokens: 1, total_tokens: 2 }
const responseOf = (word: string) => {
  const [status, detail] = word.split(' ')
  return {
    ...{ id: 'r', object: 'response', model: 'm', status, usage },
    output: [
      { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Hi.' }] },
    ],
    incomplete_details: status === 'incomplete' ? { reason: detail } : null,
    error: status === 'failed' ? { code: detail, message: 'no' } : null,
  }
}

/** A whole answer with a text that ends with a word. */
const wholeAnswers: Record<(typeof upstreams)[number], (word: string) => object> = {
  'openai-chat': word => ({
    choices: [{ index: 0, message: { role: 'assistant', content: 'Hi.' }, finish_reason: word }],
  }),
  'openai-responses': responseOf,
  anthropic: word => ({
    ...{ id: 'm', type: 'message', role: 'assistant', model: 'm', stop_reason: word },
    content: [{ type: 'text', text: 'Hi.' }],
    usage: { input_tokens: 1, output_tokens: 1 },
  }),
  gemini: word => ({
    candidates: [
      { index: 0, content: { role: 'model', parts: [{ text: 'Hi.' }] }, finishReason: word },
    ],
  }),
  converse: word => ({
    output: { message: { role: 'assistant', content: [{ text: 'Hi.' }] } },
    stopReason: word,
  }),
}

const frame = (data: object, event = ''): [data: string, event: string] => [
  JSON.stringify(event === '' ? data : { type: event, ...data }),
  event,
]

/** Writes that answer as a stream. */
const streams: Record<(typeof upstreams)[number], (word: string) => [string, string][]> = {
  'openai-chat': word => [
    frame({ choices: [{ index: 0, delta: { role: 'assistant', content: 'Hi.' } }] }),
    frame({ choices: [{ index: 0, delta: {}, finish_reason: word }] }),
    ['[DONE]', ''],
  ],
  'openai-responses': word => [
    frame({ response: { ...responseOf('in_progress'), output: [] } }, 'response.created'),
    frame({ response: responseOf(word) }, `response.${word.split(' ')[0]}`),
  ],
  anthropic: word => [
    frame(
      { message: { ...wholeAnswers.anthropic(word), content: [], stop_reason: null } },
      'message_start',
    ),
    frame({ index: 0, content_block: { type: 'text', text: 'Hi.' } }, 'content_block_start'),
    frame({ index: 0 }, 'content_block_stop'),
    frame({ delta: { stop_reason: word }, usage: { output_tokens: 1 } }, 'message_delta'),
    frame({}, 'message_stop'),
  ],
  gemini: word => [frame(wholeAnswers.gemini(word))],
  converse: word => [
    frame({ role: 'assistant' }, 'messageStart'),
    frame({ contentBlockIndex: 0, delta: { text: 'Hi.' } }, 'contentBlockDelta'),
    frame({ contentBlockIndex: 0 }, 'contentBlockStop'),
    frame({ stopReason: word }, 'messageStop'),
    frame({ usage: { inputTokens: 1, outputTokens: 1, totalTokens: 2 } }, 'metadata'),
  ],
}

const decodeWhole = (dialect: (typeof upstreams)[number], word: string): ChatAnswer =>
  dialectOf(dialect).decodeAnswer(wholeAnswers[dialect](word))

const decodeStream = (dialect: (typeof upstreams)[number], word: string): ChatEvent[] => {
  const events: ChatEvent[] = []
  const decoder = dialectOf(dialect).decodeFrames(event => events.push(event))
  for (const [data, event] of streams[dialect](word)) decoder.pushFrame(data, event)
  decoder.end()
  return events
}

/** The word in an answer of a caller's dialect. */
const wordIn: Record<CallerReasons, (body: Json) => string> = {
  'openai-chat': body => body.choices[0].finish_reason,
  'openai-responses': ({ status, incomplete_details, error }) =>
    [status, incomplete_details?.reason ?? error?.code].filter(Boolean).join(' '),
  anthropic: body => body.stop_reason,
  gemini: body => body.candidates[0].finishReason,
}

const encoded = (dialect: CallerReasons, finish: Finish) => {
  const choices = [{ parts: [{ type: 'text' as const, text: 'Hi.' }], finish }]
  const answer = { id: 'r', model: 'm', choices }
  const options = { createdAt: 0, id: 'r' }
  const { body } = dialectOf(dialect).encodeResponse(answer, options as never)
  return wordIn[dialect](body)
}

describe.each(rows)('$dialect $word', ({ dialect, word, reason }) => {
  it(`means ${reason} in a whole answer`, () => {
    expect(decodeWhole(dialect, word).choices[0]?.finish?.reason).toBe(reason)
  })

  it(`means ${reason} in a stream, or fails it where the vendor says so`, () => {
    const events = decodeStream(dialect, word)
    if (word.startsWith('failed')) return expect(events.at(-1)?.type).toBe('failure')
    expect(collectAnswer(events).choices[0]?.finish?.reason).toBe(reason)
  })

  it('comes back as it was in its own dialect, and is told by the table in every other', () => {
    const { finish } = decodeWhole(dialect, word).choices[0]!
    for (const caller of callers)
      expect([caller, encoded(caller, finish!)]).toEqual([
        caller,
        caller === dialect ? word : finishWords[reason][caller],
      ])
  })
})

it('no dialect has a word twice, and each word of the second table is in the first', () => {
  for (const dialect of [...upstreams, 'cohere'] as const) {
    const words = finishReasons[dialect].map(([word]) => word)
    expect(new Set(words).size).toBe(words.length)
  }
  for (const words of Object.values(finishWords))
    for (const caller of callers)
      expect(finishReasons[caller].map(([word]) => word)).toContain(words[caller])
})

it('an answer is tried again for the same reasons whether it passes or is translated', () => {
  expect([...ownEnds]).toEqual(['stop', 'tools', 'error'])
  expect([...ownEndWords('gemini')]).toContain('NO_IMAGE')
  expect([...ownEndWords('gemini')]).not.toContain('MODEL_ARMOR')
  expect([...ownEndWords('openai-chat')]).toContain('insufficient_system_resource')
  expect([...ownEndWords('openai-chat')]).not.toContain('sensitive')
  expect([...ownEndWords('anthropic')]).toEqual(['end_turn', 'tool_use'])
})
