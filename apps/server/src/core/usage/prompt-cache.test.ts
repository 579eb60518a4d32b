import { describe, expect, it } from 'vitest'
import {
  type CachedPrompt,
  cacheMissOf,
  findCacheMisses,
  makeMissFinder,
  readCachedPrompt,
} from './prompt-cache.ts'

const hour = (tokens: number) => ({ tokens, ratio: 2, lifeSeconds: 3_600 })
const minutes = (tokens: number) => ({ tokens, ratio: 1.25, lifeSeconds: 300 })

/** A fresh token costs 2 points, and one out of the cache 0.2. */
const call = (more: Partial<CachedPrompt> = {}): CachedPrompt => ({
  ...{ endedAt: 1_000, duration: 2_000, prompt: 12_000, read: 0, written: [], media: 0 },
  ...{ prices: { input: 2, read: 0.2 }, charged: 1_000_000 },
  ...more,
})
const before = (more: Partial<CachedPrompt> = {}) => call({ endedAt: 990, prompt: 10_000, ...more })

const cases: Record<string, [CachedPrompt, CachedPrompt, object | undefined]> = {
  'nothing was read': [call(), before(), { expected: 10_000, tokens: 10_000, points: 18_000 }],
  'a part was read': [
    call({ read: 4_000 }),
    before(),
    { expected: 10_000, tokens: 6_000, points: 10_800 },
  ],
  'all was read': [call({ read: 10_000 }), before(), { expected: 10_000, tokens: 0, points: 0 }],
  'more was read': [call({ read: 11_000 }), before(), { expected: 10_000, tokens: 0, points: 0 }],
  'all whole blocks were read': [
    call({ read: 9_873 }),
    before(),
    { expected: 10_000, tokens: 0, points: 0 },
  ],
  'one block was not read': [
    call({ read: 9_872 }),
    before(),
    { expected: 10_000, tokens: 128, points: 128 * 1.8 },
  ],
  'the prompt is shorter than the one before': [
    call({ prompt: 5_000 }),
    before(),
    { expected: 5_000, tokens: 5_000, points: 9_000 },
  ],
  'the prefix was written again': [
    call({ written: [hour(0), minutes(12_000)] }),
    before(),
    { expected: 10_000, tokens: 10_000, points: 10_000 * (2.5 - 0.2) },
  ],
  'the prefix was written for an hour, for minutes and not at all': [
    call({ read: 1_000, written: [hour(2_000), minutes(3_000)] }),
    before(),
    { expected: 10_000, tokens: 9_000, points: 2_000 * 3.8 + 3_000 * 2.3 + 4_000 * 1.8 },
  ],
  'a part of the prompt is sound or images': [
    call({ media: 11_000 }),
    before(),
    { expected: 10_000, tokens: 1_000, points: 1_800 },
  ],
  'less was charged': [
    call({ charged: 7 }),
    before(),
    { expected: 10_000, tokens: 10_000, points: 7 },
  ],
  'writes cost less than reads': [
    call({ written: [{ tokens: 12_000, ratio: 0, lifeSeconds: 300 }] }),
    before(),
    { expected: 10_000, tokens: 10_000, points: 0 },
  ],
  'the cache is at the end of its life': [
    call({ endedAt: 1_292 }),
    before(),
    { expected: 10_000, tokens: 10_000, points: 18_000 },
  ],
  'the cache has expired': [call({ endedAt: 1_293 }), before(), undefined],
  'the cache was written for an hour': [
    call({ endedAt: 4_592 }),
    before({ written: [hour(1), minutes(0)] }),
    { expected: 10_000, tokens: 10_000, points: 18_000 },
  ],
  'the hour is over': [call({ endedAt: 4_593 }), before({ written: [hour(1)] }), undefined],
  'nothing was written for an hour': [
    call({ endedAt: 1_293 }),
    before({ written: [hour(0), minutes(9)] }),
    undefined,
  ],
  'the prompt before is the shortest that is cached': [
    call(),
    before({ prompt: 1_024 }),
    { expected: 1_024, tokens: 1_024, points: 1_024 * 1.8 },
  ],
  'the prompt before is too short': [call(), before({ prompt: 1_023 }), undefined],
  'the prompt is too short': [call({ prompt: 1_023 }), before(), undefined],
  'its usage or price has no cache': [call({ prices: undefined }), before(), undefined],
  'the usage before says nothing': [call(), before({ prices: undefined }), undefined],
}

describe('a call after another of its session', () => {
  it.each(Object.entries(cases))('has its miss where %s', (_, [of, after, miss]) => {
    if (miss === undefined) expect(cacheMissOf(of, after)).toBeUndefined()
    else
      for (const [name, value] of Object.entries(miss))
        expect(cacheMissOf(of, after)).toHaveProperty(name, expect.closeTo(value, 6))
  })
})

type Named = CachedPrompt & { name: string; session: string }
const named = (name: string, session: string, more: Partial<CachedPrompt>): Named => ({
  ...call(more),
  ...{ name, session },
})

const expectedBy = (calls: readonly Named[]) =>
  [...findCacheMisses(calls, each => each.session)].map(([each, miss]) => [
    each.name,
    miss.expected,
  ])

it('a call is compared with the last one of its own session', () => {
  expect(
    expectedBy([
      named('a1', 'a', { endedAt: 10, prompt: 5_000 }),
      named('b1', 'b', { endedAt: 20, prompt: 7_000 }),
      named('a2', 'a', { endedAt: 30, prompt: 6_000 }),
      named('a3', 'a', { endedAt: 40, prompt: 9_000 }),
      named('b2', 'b', { endedAt: 50, prompt: 9_000 }),
    ]),
  ).toEqual([
    ['a2', 5_000],
    ['a3', 6_000],
    ['b2', 7_000],
  ])
})

it('a call is not compared with one that still ran when it began', () => {
  expect(
    expectedBy([
      named('first', 'a', { endedAt: 10, prompt: 5_000 }),
      named('second', 'a', { endedAt: 30, duration: 15_000, prompt: 8_000 }),
      named('beside the second', 'a', { endedAt: 31, duration: 15_000, prompt: 9_000 }),
      named('after both', 'a', { endedAt: 40, prompt: 20_000 }),
    ]),
  ).toEqual([
    ['second', 5_000],
    ['beside the second', 5_000],
    ['after both', 9_000],
  ])
})

it.each<[string, number, [string, number][]]>([
  [
    'for good',
    Number.POSITIVE_INFINITY,
    [
      ['a2', 5_000],
      ['a3, which began before the end of a2', 5_000],
      ['b2', 7_000],
    ],
  ],
  ['for a minute', 60, [['a2', 5_000]]],
])('a finder keeps calls %s', (_, keepSeconds, found) => {
  const find = makeMissFinder<Named>(each => each.session, keepSeconds)
  const calls = [
    named('a1', 'a', { endedAt: 10, prompt: 5_000 }),
    named('b1', 'b', { endedAt: 10, prompt: 7_000 }),
    named('a2', 'a', { endedAt: 71, prompt: 8_000 }),
    named('a3, which began before the end of a2', 'a', { endedAt: 75, duration: 10_000 }),
    named('b2', 'b', { endedAt: 76 }),
  ]
  const misses = calls.map(each => [each.name, find(each)?.expected])
  expect(misses.filter(([, expected]) => expected !== undefined)).toEqual(found)
})

it('a call may follow one that ended in the second in which it began', () => {
  const following = named('following', 'a', { endedAt: 11, duration: 1_700, prompt: 9_000 })
  expect(expectedBy([named('first', 'a', { endedAt: 10, prompt: 5_000 }), following])).toEqual([
    ['following', 5_000],
  ])
})

const row = (metadata: object) => ({
  ...{ created_at: 7, request_time: 1_500, prompt_tokens: 9_000, quota: 12 },
  metadata: JSON.stringify(metadata),
})

it('reads every class of the prompt from a log row', () => {
  const metadata = {
    ...{ session: 's', cached_read_tokens: 1, cached_read_audio_tokens: 2 },
    ...{ cached_read_image_tokens: 4, cached_write_tokens: 8, cached_write_tokens_ratio: 1.25 },
    ...{ cached_write_1h_tokens: 16, cached_write_1h_tokens_ratio: 2, input_audio_tokens: 32 },
    ...{ input_image_tokens: 64, cache_prices: [2, 0.2] },
  }
  expect(readCachedPrompt(row(metadata))).toEqual({
    ...{ session: 's', endedAt: 7, duration: 1_500, prompt: 9_000, read: 7, media: 96 },
    ...{ written: [hour(16), minutes(8)], prices: { input: 2, read: 0.2 }, charged: 12 },
  })
})

it.each([undefined, null, 3, 'x', [], [2], [2, 2], [0, 0], [2, -1], ['x', 'y'], { 0: 2, 1: 1 }])(
  'prices of %j are none',
  cache_prices => {
    expect(readCachedPrompt(row({ cache_prices })).prices).toBeUndefined()
  },
)
