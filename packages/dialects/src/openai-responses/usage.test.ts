import { describe, expect, it } from 'vitest'
import { inputTokens, noUsage, outputTokens } from '../usage.ts'
import { addTools, countTool, decodeUsage, encodeUsage } from './usage.ts'

describe('usage', () => {
  it('is taken apart into classes that sum to the totals', () => {
    const usage = decodeUsage({
      input_tokens: 100,
      input_tokens_details: { cached_tokens: 60, cache_write_tokens: 20 },
      output_tokens: 50,
      output_tokens_details: { reasoning_tokens: 30 },
      total_tokens: 150,
    })
    expect(usage).toMatchObject({
      input: 20,
      cacheRead: 60,
      cacheWrite5m: 20,
      output: 20,
      reasoning: 30,
    })
    if (usage === 'broken') throw new Error('usage')
    expect([inputTokens(usage), outputTokens(usage)]).toEqual([100, 50])
    expect(decodeUsage(encodeUsage(usage))).toEqual(usage)
  })

  it('never counts a token twice, and counts reasoning that stands beside the output', () => {
    expect(
      decodeUsage({
        input_tokens: 10,
        input_tokens_details: { cached_tokens: 8, image_tokens: 8 },
        output_tokens: 4,
        output_tokens_details: { reasoning_tokens: 9 },
        total_tokens: 21,
      }),
    ).toMatchObject({ input: 0, cacheRead: 8, imageInput: 2, output: 2, reasoning: 9 })
  })

  it('every class that is told is read, and told again', () => {
    const result = {
      input_tokens: 100,
      input_tokens_details: {
        cached_tokens: 1,
        cache_write_tokens: 2,
        audio_tokens: 3,
        image_tokens: 4,
      },
      output_tokens: 50,
      output_tokens_details: { reasoning_tokens: 5, audio_tokens: 6, image_tokens: 7 },
      total_tokens: 150,
    }
    const usage = {
      ...noUsage(),
      ...{ input: 90, cacheRead: 1, cacheWrite5m: 2, audioInput: 3, imageInput: 4 },
      ...{ output: 32, reasoning: 5, audioOutput: 6, imageOutput: 7 },
    }
    expect(decodeUsage(result)).toStrictEqual(usage)
    expect(encodeUsage(usage)).toStrictEqual(result)
    expect(encodeUsage({ ...usage, cacheWrite5m: 0, cacheWrite1h: 2 })).toStrictEqual(result)
    expect(encodeUsage({ ...noUsage(), imageInput: 1 })).toStrictEqual({
      input_tokens: 1,
      input_tokens_details: { cached_tokens: 0, image_tokens: 1 },
      output_tokens: 0,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: 1,
    })
  })

  it.each([
    [{ input_tokens: 0 }, {}],
    [{ output_tokens: 0, input_tokens_details: null, output_tokens_details: 7 }, {}],
    [{ input_tokens: 3 }, { input: 3 }],
    [{ output_tokens: 3 }, { output: 3 }],
    [
      { output_tokens: 3, total_tokens: 5 },
      { output: 3, reasoning: 2 },
    ],
    [
      { input_tokens: 3, total_tokens: 5 },
      { input: 3, reasoning: 2 },
    ],
    [
      { input_tokens: 3, output_tokens: 3, total_tokens: 5 },
      { input: 3, output: 3 },
    ],
    [
      {
        input_tokens: 1,
        output_tokens: 1,
        output_tokens_details: { reasoning_tokens: 1 },
        total_tokens: 3,
      },
      { input: 1, output: 1, reasoning: 1 },
    ],
    [
      {
        input_tokens: 1,
        output_tokens: 1,
        output_tokens_details: { reasoning_tokens: 1 },
        total_tokens: 4,
      },
      { input: 1, output: 1, reasoning: 2 },
    ],
  ])('what is not told is none: %j', (result, usage) => {
    expect(decodeUsage(result)).toStrictEqual({ ...noUsage(), ...usage })
  })

  it.each<[unknown]>([
    [{}],
    [null],
    [{ input_tokens: -1 }],
    [{ input_tokens: 1.5 }],
    [{ input_tokens: '1' }],
    [{ input_tokens: 1, output_tokens: 1e15 }],
    [{ input_tokens: 1, total_tokens: -1 }],
    [{ output_tokens: '1' }],
    ...['cached_tokens', 'cache_write_tokens', 'audio_tokens', 'image_tokens'].map(
      (each): [unknown] => [{ input_tokens: 1, input_tokens_details: { [each]: -5 } }],
    ),
    ...['reasoning_tokens', 'audio_tokens', 'image_tokens'].map((each): [unknown] => [
      { output_tokens: 1, output_tokens_details: { [each]: -5 } },
    ]),
  ])('is broken where a figure is no count: %j', usage => {
    expect(decodeUsage(usage)).toBe('broken')
  })

  it('does not charge an image twice whose tokens the usage reports', () => {
    const counts = new Map([
      ['image_generation:high-1024x1024', 2],
      ['web_search', 1],
    ])
    const byTokens = { ...noUsage(), tools: {}, imageOutput: 1 }
    addTools(byTokens, counts, undefined)
    expect(byTokens.tools).toEqual({ web_search: 1 })
    const byCall = { ...noUsage(), tools: {} }
    addTools(byCall, counts, undefined)
    expect(byCall.tools).toEqual({ 'image_generation:high-1024x1024': 2, web_search: 1 })
  })

  it.each([
    [{ type: 'web_search_call' }, 'web_search'],
    [{ type: 'web_search_call', action: { type: 'search' } }, 'web_search'],
    [{ type: 'web_search_call', action: null }, 'web_search'],
    [{ type: 'web_search_call', action: { type: 'open_page' } }, undefined],
    [{ type: 'x_search_call' }, 'x_search'],
    [{ type: 'file_search_call' }, 'file_search'],
    [{ type: 'code_interpreter_call' }, 'code_interpreter'],
    [{ type: 'image_generation_call', action: 'generate' }, 'image_generation'],
    [
      { type: 'image_generation_call', quality: 'high', size: '1024x1536' },
      'image_generation:high-1024x1536',
    ],
    [
      { type: 'image_generation_call', quality: 'auto', size: '3840x2160', status: 'completed' },
      'image_generation:auto-3840x2160',
    ],
    [{ type: 'image_generation_call', quality: 'high' }, 'image_generation'],
    [{ type: 'image_generation_call', size: '1024x1024' }, 'image_generation'],
    [{ type: 'image_generation_call', quality: 'high', size: 'auto' }, 'image_generation'],
    [{ type: 'image_generation_call', quality: 'HIGH!', size: '1024x1024' }, 'image_generation'],
    [{ type: 'image_generation_call', quality: ['low'], size: ['1x1'] }, 'image_generation'],
    [{ type: 'image_generation_call', quality: 'low', size: '1x1', status: 'failed' }, undefined],
    [{ type: 'function_call' }, undefined],
    [{ type: 'toString' }, undefined],
    [{ type: ['web_search_call'] }, undefined],
    [null, undefined],
    ['web_search_call', undefined],
  ])('%j is sold as %s', (item, kind) => {
    const counts = new Map<string, number>()
    countTool(counts, item)
    expect([...counts]).toEqual(kind === undefined ? [] : [[kind, 1]])
  })
})
