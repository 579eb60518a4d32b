import { describe, expect, it } from 'vitest'
import { inputTokens, outputTokens } from '../usage.ts'
import { openaiRealtime } from './openai.ts'

const reader = openaiRealtime.openReader()
const read = (event: object) => reader.read(JSON.stringify(event))[0]!
const done = (usage: unknown) => read({ type: 'response.done', response: { id: 'resp_1', usage } })

describe('usage of a response', () => {
  // The fields of https://developers.openai.com/api/reference/resources/realtime, with cached tokens of each modality.
  const usage = {
    ...{ input_tokens: 1_000, output_tokens: 300, total_tokens: 1_300 },
    input_token_details: {
      ...{ text_tokens: 500, audio_tokens: 400, image_tokens: 100, cached_tokens: 350 },
      cached_tokens_details: { text_tokens: 200, audio_tokens: 120, image_tokens: 30 },
    },
    output_token_details: { text_tokens: 80, audio_tokens: 220 },
  }

  it('has disjoint classes that add up to the totals', () => {
    const event = done(usage)
    expect(event).toMatchObject({
      kind: 'done',
      usage: {
        ...{ input: 300, audioInput: 280, imageInput: 70 },
        ...{ cacheRead: 200, cacheReadAudio: 120, cacheReadImage: 30 },
        ...{ output: 80, audioOutput: 220 },
      },
    })
    if (event.kind !== 'done' || typeof event.usage !== 'object') throw event
    expect([inputTokens(event.usage), outputTokens(event.usage)]).toEqual([1_000, 300])
  })

  it.each([
    ['none', undefined, undefined],
    ['null', null, undefined],
    ['no counts', {}, 'broken'],
    ['a negative count', { ...usage, output_tokens: -1 }, 'broken'],
    ['a text', { ...usage, input_tokens: '7' }, 'broken'],
  ])('%s is no usage', (_name, value, expected) => {
    expect(done(value)).toMatchObject({ kind: 'done', usage: expected })
  })
})

it.each([
  ['response.output_audio.delta', { audioTokens: 20, textTokens: 0 }],
  ['response.audio.delta', { audioTokens: 20, textTokens: 0 }],
  ['response.output_text.delta', { audioTokens: 0, textTokens: 16_000 }],
])('%s is metered: a second of audio, or four letters a token', (type, metered) => {
  expect(read({ type, delta: 'A'.repeat(64_000) })).toEqual({ kind: 'delta', ...metered })
})

it.each([
  ['no JSON', '{'],
  ['no object', 'null'],
  ['no type', '{}'],
  ['a delta of another kind', '{"type":"conversation.x.delta","delta":"x"}'],
])('%s is relayed without a charge', (_name, text) => {
  expect(reader.read(text)).toEqual([])
})

it('an error is an event of the vendor', () => {
  const info = { code: 'quota.exhausted', status: 402, message: 'Empty.', requestId: '7' }
  expect(JSON.parse(openaiRealtime.encodeEnd(info).message ?? '')).toMatchObject({
    type: 'error',
    event_id: 'event_7',
    error: { type: 'insufficient_quota', code: 'insufficient_quota', event_id: null },
  })
})
