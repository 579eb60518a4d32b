import { describe, expect, it } from 'vitest'
import { inputTokens, noUsage, outputTokens } from '../usage.ts'
import { decodeUsage, encodeUsage } from './usage.ts'

describe('usage', () => {
  it('is taken apart into classes that sum to the total', () => {
    const usage = decodeUsage({
      promptTokenCount: 100,
      cachedContentTokenCount: 40,
      promptTokensDetails: [
        { modality: 'TEXT', tokenCount: 60 },
        { modality: 'AUDIO', tokenCount: 30 },
        { modality: 'IMAGE', tokenCount: 10 },
      ],
      cacheTokensDetails: [{ modality: 'AUDIO', tokenCount: 20 }],
      toolUsePromptTokenCount: 7,
      candidatesTokenCount: 50,
      candidatesTokensDetails: [{ modality: 'IMAGE', tokenCount: 45 }],
      thoughtsTokenCount: 20,
      totalTokenCount: 177,
    })
    expect(usage).toMatchObject({
      input: 47,
      cacheRead: 20,
      cacheReadAudio: 20,
      audioInput: 10,
      imageInput: 10,
      output: 5,
      imageOutput: 45,
      reasoning: 20,
    })
    if (usage === 'broken') throw new Error('usage')
    expect([inputTokens(usage), outputTokens(usage)]).toEqual([107, 70])
    expect(decodeUsage(encodeUsage(usage))).toEqual(usage)
  })

  it('counts thoughts that stand in the total only', () => {
    expect(
      decodeUsage({ promptTokenCount: 9, candidatesTokenCount: 29, totalTokenCount: 320 }),
    ).toMatchObject({ input: 9, output: 29, reasoning: 282 })
  })

  it.each([
    [{}],
    [null],
    [{ trafficType: 'ON_DEMAND' }],
    [{ promptTokenCount: -1 }],
    [{ promptTokenCount: '1' }],
    [{ promptTokenCount: 1, totalTokenCount: 1e15 }],
    [{ promptTokenCount: 1, promptTokensDetails: [{ modality: 'AUDIO', tokenCount: 0.5 }] }],
  ])('is broken where a figure is no count: %j', usage => {
    expect(decodeUsage(usage)).toBe('broken')
  })
})

// https://ai.google.dev/api/generate-content#UsageMetadata: fields that are zero are left out.
it.each([
  [{ promptTokenCount: 0 }, { input: 0, output: 0, reasoning: 0 }],
  [{ promptTokenCount: 5 }, { input: 5, output: 0, reasoning: 0 }],
  [{ candidatesTokenCount: 5 }, { input: 0, output: 5, reasoning: 0 }],
  [{ responseTokenCount: 5 }, { input: 0, output: 5, reasoning: 0 }],
  [{ totalTokenCount: 5 }, { input: 0, output: 0, reasoning: 5 }],
  [
    { promptTokenCount: 5, thoughtsTokenCount: 2, totalTokenCount: 7 },
    { input: 5, output: 0, reasoning: 2 },
  ],
  [{ promptTokenCount: 5, candidatesTokenCount: 3, totalTokenCount: 8 }, { reasoning: 0 }],
  [{ promptTokenCount: 5, candidatesTokenCount: 3, totalTokenCount: 7 }, { reasoning: 0 }],
  [
    { promptTokenCount: 5, promptTokensDetails: [{ modality: 'AUDIO' }, null, 7] },
    { input: 5, audioInput: 0 },
  ],
  [
    { responseTokenCount: 5, responseTokensDetails: [{ modality: 'AUDIO', tokenCount: 4 }] },
    { output: 1, audioOutput: 4 },
  ],
])('absent figures are zero: %j', (encoded, expected) => {
  expect(decodeUsage(encoded)).toMatchObject(expected)
})

it.each([
  [{}, {}],
  [{ cacheRead: 1 }, { promptTokenCount: 1, totalTokenCount: 1, cachedContentTokenCount: 1 }],
  [{ reasoning: 1 }, { totalTokenCount: 1, thoughtsTokenCount: 1 }],
  [
    { cacheWrite5m: 1, cacheWrite1h: 2 },
    { promptTokenCount: 3, totalTokenCount: 3 },
  ],
  [
    { input: 1, cacheRead: 1, audioInput: 1 },
    {
      ...{ promptTokenCount: 3, totalTokenCount: 3, cachedContentTokenCount: 1 },
      promptTokensDetails: [
        { modality: 'TEXT', tokenCount: 2 },
        { modality: 'AUDIO', tokenCount: 1 },
      ],
    },
  ],
  [
    { imageInput: 1 },
    {
      ...{ promptTokenCount: 1, totalTokenCount: 1 },
      promptTokensDetails: [{ modality: 'IMAGE', tokenCount: 1 }],
    },
  ],
  [
    { output: 1, audioOutput: 1, imageOutput: 1 },
    {
      ...{ candidatesTokenCount: 3, totalTokenCount: 3 },
      candidatesTokensDetails: [
        { modality: 'TEXT', tokenCount: 1 },
        { modality: 'AUDIO', tokenCount: 1 },
        { modality: 'IMAGE', tokenCount: 1 },
      ],
    },
  ],
])('%j is told as its vendor tells it', (usage, encoded) => {
  const none = { promptTokenCount: 0, candidatesTokenCount: 0, totalTokenCount: 0 }
  expect(encodeUsage({ ...noUsage(), ...usage })).toEqual({ ...none, ...encoded })
})
