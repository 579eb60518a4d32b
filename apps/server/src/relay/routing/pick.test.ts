import { providers } from '@hub/providers'
import { expect, it } from 'vitest'
import type { Channel } from '../channels/channel.ts'
import {
  billedModels,
  findCandidates,
  listModels,
  makeChannelIndex,
  replaceChannel,
} from './channel-index.ts'
import {
  makeCandidates,
  type PickCriteria,
  pick,
  pickCoolingDown,
  reservedPromptTokens,
} from './pick.ts'

const channel = (id: number, change: Partial<Channel> = {}): Channel => ({
  id,
  name: `c${id}`,
  provider: providers[0]!,
  baseUrl: '',
  other: '',
  options: {},
  keys: [{ index: 1, credential: 'key', fingerprint: 'f', changedAt: 0 }],
  storedKeys: [],
  keyRotation: 'random',
  proxy: '',
  groups: ['default'],
  models: ['m'],
  priority: 0,
  weight: 1,
  mapping: new Map(),
  requestHeaders: {},
  customParameter: undefined,
  onlyChat: false,
  unsupportedDialect: undefined,
  keepsUnknownFields: false,
  preCost: 1,
  unstreamableModels: new Set(),
  contextSizes: new Map(),
  testModel: '',
  fingerprint: '',
  ...change,
})

const criteria = (change: Partial<PickCriteria> = {}): PickCriteria => ({
  model: 'm',
  hasTools: false,
  stream: false,
  excluded: new Set(),
  operation: 'chat',
  cooldownEnd: () => 0,
  random: () => 0,
  ...change,
})

/** Evenly spread points, so that shares can be counted exactly. */
const shares = (channels: Channel[], change: Partial<PickCriteria> = {}) => {
  const counts = new Map<number, number>()
  for (let n = 0; n < 1_000; n++) {
    const id = pick(makeCandidates(channels), criteria({ random: () => n / 1_000, ...change }))?.id
    if (id !== undefined) counts.set(id, (counts.get(id) ?? 0) + 1)
  }
  return Object.fromEntries(counts)
}

it('channels of one priority are drawn by weight', () => {
  expect(shares([channel(1, { weight: 1 }), channel(2, { weight: 3 })])).toEqual({ 1: 250, 2: 750 })
  expect(shares([channel(1, { weight: 0 }), channel(2)])).toEqual({ 1: 500, 2: 500 })
})

it('a lower priority is used only when nobody of a higher one can be', () => {
  const all = [channel(1, { priority: 1 }), channel(2, { priority: 9 })]
  expect(shares(all)).toEqual({ 2: 1_000 })
  expect(shares(all, { excluded: new Set([2]) })).toEqual({ 1: 1_000 })
})

it('what cannot be used is not drawn, and its share goes to the others by weight', () => {
  const all = [channel(1, { weight: 6 }), channel(2, { weight: 1 }), channel(3, { weight: 3 })]
  const found = shares(all, { cooldownEnd: each => (each.id === 1 ? 1 : 0) })
  expect(Object.keys(found)).toEqual(['2', '3'])
  expect(found[2]! + found[3]!).toBe(1_000)
})

it('tools keep away from chat-only channels, streams from those that must not stream', () => {
  const all = [channel(1, { onlyChat: true }), channel(2, { unstreamableModels: new Set(['m']) })]
  expect(shares(all, { hasTools: true })).toEqual({ 2: 1_000 })
  expect(shares(all, { stream: true })).toEqual({ 1: 1_000 })
  expect(shares(all, { stream: true, hasTools: true })).toEqual({})
})

it('long prompts keep away from channels whose context is known and smaller', () => {
  const sized = (id: number, sizes: Record<string, number>) =>
    channel(id, { contextSizes: new Map(Object.entries(sizes)) })
  const all = [
    sized(1, { m: 100 }),
    sized(2, { 'm*': 1, m: 200 }),
    sized(3, { '*': 1, 'n*': 1, 'm*': 300 }),
    sized(4, { other: 1 }),
  ]
  const usable = (promptTokens: number | undefined) =>
    Object.keys(shares(all, { promptTokens })).map(Number)
  expect(usable(100)).toEqual([1, 2, 3, 4])
  expect(usable(101)).toEqual([2, 3, 4])
  expect(usable(300)).toEqual([3, 4])
  expect(usable(301)).toEqual([4])
  expect(usable(undefined)).toEqual([1, 2, 3, 4])
})

it('while all cool down the one whose cooldown ends first is asked, whatever its priority', () => {
  const all = [
    channel(1, { priority: 9 }),
    channel(2),
    channel(3),
    channel(4, { onlyChat: true }),
    channel(5),
  ]
  const change = {
    hasTools: true,
    excluded: new Set([5]),
    cooldownEnd: ({ id }: Channel) => [0, 40, 30, 35, 10, 20][id]!,
  }
  expect(shares(all, change)).toEqual({})
  expect(pickCoolingDown(makeCandidates(all), criteria(change))?.id).toBe(2)
})

it('of a thousand channels the last one that can be used is found', () => {
  const all = Array.from({ length: 1_000 }, (_, n) => channel(n + 1))
  expect(shares(all, { cooldownEnd: each => (each.id === 777 ? 0 : 1) })).toEqual({ 777: 1_000 })
})

it('a listed name goes before a prefix, and a longer prefix before a shorter one', () => {
  const known = makeChannelIndex(
    new Map(
      [
        channel(1, { models: ['gpt-*'] }),
        channel(2, { models: ['gpt-4*'] }),
        channel(3, { models: ['gpt-4o'] }),
        channel(4, { models: ['gpt-4o'], groups: ['vip'] }),
      ].map(each => [each.id, each]),
    ),
  )
  const servedBy = (model: string, group = 'default') =>
    findCandidates(known, group, model)?.tiers[0]?.channels.map(each => each.id)
  expect(servedBy('gpt-4o')).toEqual([3])
  expect(servedBy('gpt-4.1')).toEqual([2])
  expect(servedBy('gpt-5')).toEqual([1])
  expect(servedBy('gpt-4o', 'vip')).toEqual([4])
  expect(servedBy('other')).toBeUndefined()
  expect(servedBy('gpt-4o', 'nobody')).toBeUndefined()
  expect(listModels(known, 'default')).toEqual(['gpt-4o'])
})

it('a changed channel leaves the index as if it had been made from the new channels', () => {
  const states = [
    [channel(2, { models: ['m', 'n*'] }), channel(2, { models: ['n*'], priority: 4 })],
    [undefined, channel(4, { groups: ['vip', 'default'], preCost: 2 })],
    [channel(3, { models: ['n*', 'n-*'], preCost: 3 }), undefined],
    [channel(1), channel(1, { groups: ['vip'], weight: 9 })],
    [channel(1, { groups: ['vip'], weight: 9 }), undefined],
  ] as const
  const byId = new Map([1, 2, 3].map(id => [id, channel(id)]))
  for (const [before] of states)
    if (before && !before.groups.includes('vip')) byId.set(before.id, before)
  const index = makeChannelIndex(byId)
  for (const [before, after] of states) {
    const old = before && index.byId.get(before.id)
    expect(old).toEqual(before)
    replaceChannel(index, old, after)
    const sorted = [...index.byId].sort(([a], [b]) => a - b)
    expect(index).toEqual(makeChannelIndex(new Map(sorted)))
  }
})

it('a mapped model is billed as its target, or as requested where the target begins with +', () => {
  const serving = makeCandidates([
    channel(1),
    channel(2, { mapping: new Map([['m', 'other']]) }),
    channel(3, { mapping: new Map([['m', '+hidden']]) }),
  ])
  expect(billedModels(serving, 'm').toSorted()).toEqual(['m', 'other'])
})

it('of the prompt is reserved what the most cautious channel wants', () => {
  const ask = { promptTokens: 5_000, mediaTokens: 3_200 }
  const counted = (...costs: (1 | 2 | 3)[]) =>
    reservedPromptTokens(
      ask,
      makeCandidates(costs.map((preCost, at) => channel(at + 1, { preCost }))).preCost,
    )
  expect([counted(1), counted(2), counted(3)]).toEqual([5_000, 1_800, 0])
  expect([counted(3, 2), counted(2, 1, 3)]).toEqual([1_800, 5_000])
})
