import { describe, expect, it } from 'vitest'
import { inputTokens, noUsage, outputTokens } from '../usage.ts'
import { decodeUsage, encodeUsage } from './usage.ts'

describe('usage', () => {
  it('is taken apart into classes that sum to the totals', () => {
    const usage = decodeUsage({
      prompt_tokens: 100,
      completion_tokens: 50,
      total_tokens: 150,
      prompt_tokens_details: { cached_tokens: 60, audio_tokens: 10 },
      completion_tokens_details: { reasoning_tokens: 30, audio_tokens: 5 },
    })
    expect(usage).toMatchObject({
      input: 30,
      cacheRead: 60,
      audioInput: 10,
      output: 15,
      reasoning: 30,
      audioOutput: 5,
    })
    if (usage === 'broken') throw new Error('usage')
    expect([inputTokens(usage), outputTokens(usage)]).toEqual([100, 50])
    expect(decodeUsage(encodeUsage(usage))).toEqual(usage)
  })

  it('counts reasoning that a vendor tells beside the completion', () => {
    expect(
      decodeUsage({
        prompt_tokens: 12,
        completion_tokens: 1,
        total_tokens: 303,
        completion_tokens_details: { reasoning_tokens: 290 },
      }),
    ).toMatchObject({ input: 12, output: 1, reasoning: 290 })
  })

  it.each([
    [{ prompt_tokens: 10 }, { input: 10 }],
    [{ prompt_tokens: 0 }, {}],
    [
      { prompt_tokens: 10, total_tokens: 12 },
      { input: 10, reasoning: 2 },
    ],
    [
      { completion_tokens: 10, total_tokens: 12 },
      { output: 10, reasoning: 2 },
    ],
    [{ prompt_tokens: 3, prompt_tokens_details: null }, { input: 3 }],
    [{ completion_tokens: 10 }, { output: 10 }],
    // DeepSeek's, Moonshot's, OpenRouter's and Alibaba's words for a cache.
    [
      { prompt_tokens: 10, prompt_cache_hit_tokens: 4 },
      { input: 6, cacheRead: 4 },
    ],
    [
      { prompt_tokens: 10, cached_tokens: 4 },
      { input: 6, cacheRead: 4 },
    ],
    [
      { prompt_tokens: 10, prompt_tokens_details: { cached_tokens: 3 }, cached_tokens: 4 },
      { input: 7, cacheRead: 3 },
    ],
    [
      { prompt_tokens: 10, prompt_tokens_details: { cache_write_tokens: 4 } },
      { input: 6, cacheWrite5m: 4 },
    ],
    [
      { prompt_tokens: 10, prompt_tokens_details: { cache_creation_input_tokens: 4 } },
      { input: 6, cacheWrite5m: 4 },
    ],
    [
      { prompt_tokens: 10, prompt_tokens_details: { audio_tokens: 1, image_tokens: 2 } },
      { input: 7, audioInput: 1, imageInput: 2 },
    ],
    [
      { completion_tokens: 10, completion_tokens_details: { audio_tokens: 1, image_tokens: 2 } },
      { output: 7, audioOutput: 1, imageOutput: 2 },
    ],
    [
      { prompt_tokens: 3, prompt_tokens_details: [5], completion_tokens_details: 'x' },
      { input: 3 },
    ],
    // A total that is smaller than its parts says nothing; one that is larger has thoughts beside them.
    [
      { prompt_tokens: 3, completion_tokens: 4, total_tokens: 5 },
      { input: 3, output: 4 },
    ],
    [
      {
        prompt_tokens: 10,
        completion_tokens: 20,
        total_tokens: 40,
        completion_tokens_details: { reasoning_tokens: 15 },
      },
      { input: 10, output: 15, reasoning: 15 },
    ],
    [
      {
        prompt_tokens: 10,
        completion_tokens: 20,
        total_tokens: 60,
        completion_tokens_details: { reasoning_tokens: 15 },
      },
      { input: 10, output: 20, reasoning: 30 },
    ],
  ])('%j is %j', (result, classes) => {
    expect(decodeUsage(result)).toEqual({ ...noUsage(), ...classes })
  })

  // https://platform.openai.com/docs/api-reference/chat/object#chat-object-usage
  it('is told in sums with their details', () => {
    const bare = {
      prompt_tokens: 0,
      completion_tokens: 0,
      total_tokens: 0,
      prompt_tokens_details: { cached_tokens: 0, audio_tokens: 0 },
      completion_tokens_details: { reasoning_tokens: 0, audio_tokens: 0 },
    }
    expect(encodeUsage(noUsage())).toEqual(bare)
    const input = { input: 1, cacheRead: 2, cacheWrite5m: 4, cacheWrite1h: 8 }
    const media = { audioInput: 16, imageInput: 32, audioOutput: 256, imageOutput: 512 }
    expect(encodeUsage({ ...noUsage(), ...input, ...media, output: 64, reasoning: 128 })).toEqual({
      prompt_tokens: 63,
      completion_tokens: 960,
      total_tokens: 1_023,
      prompt_tokens_details: {
        cached_tokens: 2,
        audio_tokens: 16,
        cache_write_tokens: 12,
        image_tokens: 32,
      },
      completion_tokens_details: { reasoning_tokens: 128, audio_tokens: 256, image_tokens: 512 },
    })
    const one = encodeUsage({ ...noUsage(), cacheWrite5m: 1, imageInput: 1, imageOutput: 1 })
    expect(one).toMatchObject({
      prompt_tokens_details: { cache_write_tokens: 1, image_tokens: 1 },
      completion_tokens_details: { image_tokens: 1 },
    })
  })

  it('never counts a token twice, nor below zero, where details overlap', () => {
    expect(
      decodeUsage({
        prompt_tokens: 10,
        completion_tokens: 4,
        prompt_tokens_details: { cached_tokens: 8, image_tokens: 8 },
        completion_tokens_details: { reasoning_tokens: 9 },
      }),
    ).toMatchObject({ input: 0, cacheRead: 8, imageInput: 2, output: 0, reasoning: 4 })
  })

  it.each<[unknown]>([
    [{}],
    [null],
    [5],
    [[1]],
    ...['cached_tokens', 'cache_write_tokens', 'audio_tokens', 'image_tokens'].map(
      (name): [unknown] => [{ prompt_tokens: 1, prompt_tokens_details: { [name]: -1 } }],
    ),
    ...['reasoning_tokens', 'audio_tokens', 'image_tokens'].map((name): [unknown] => [
      { completion_tokens: 1, completion_tokens_details: { [name]: -1 } },
    ]),
    [{ prompt_tokens: -1, completion_tokens: 1 }],
    [{ prompt_tokens: 1, completion_tokens: 1.5 }],
    [{ prompt_tokens: '1', completion_tokens: 1 }],
    [{ prompt_tokens: 1e15, completion_tokens: 1 }],
    [{ prompt_tokens: 1, completion_tokens: 1, total_tokens: -2 }],
    [{ prompt_tokens: 1, completion_tokens: 1, prompt_tokens_details: { cached_tokens: -5 } }],
  ])('is broken where a figure is no count: %j', usage => {
    expect(decodeUsage(usage)).toBe('broken')
  })
})
