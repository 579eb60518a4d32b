import { providers } from '@hub/providers'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Channel } from '../channels/channel.ts'
import { findCandidates, makeChannelIndex } from './channel-index.ts'
import { type PickCriteria, pick, pickCoolingDown } from './pick.ts'

/** A channel as the reference sees it, with the state that one call finds it in. */
type Member = {
  groups: string[]
  models: string[]
  priority: number
  weight: number
  onlyChat: boolean
  noStream: boolean
  contextSize: number | undefined
  cooldownEnd: number
  isProbed: boolean
  isExcluded: boolean
}
type Fleet = {
  members: Member[]
  group: string
  model: string
  hasTools: boolean
  stream: boolean
  promptTokens: number
}

const groups = ['default', 'vip']
const models = ['gpt-4o', 'gpt-4*', 'gpt-*', 'claude*']
const calledModels = ['gpt-4o', 'gpt-4.1', 'gpt-5', 'claude-x', 'other']

const rarely = fc.integer({ min: 0, max: 4 }).map(n => n === 0)
const member: fc.Arbitrary<Member> = fc.record({
  groups: fc.subarray(groups, { minLength: 1 }),
  models: fc.subarray(models, { minLength: 1 }),
  priority: fc.integer({ min: 0, max: 2 }),
  weight: fc.integer({ min: 0, max: 5 }),
  onlyChat: rarely,
  noStream: rarely,
  contextSize: fc.option(fc.constantFrom(4_000, 8_000, 128_000), { nil: undefined }),
  cooldownEnd: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 1_000 })),
  isProbed: rarely,
  isExcluded: rarely,
})
const fleet: fc.Arbitrary<Fleet> = fc.record({
  members: fc.array(member, { maxLength: 8 }),
  group: fc.constantFrom(...groups),
  model: fc.constantFrom(...calledModels),
  hasTools: fc.boolean(),
  stream: fc.boolean(),
  promptTokens: fc.constantFrom(10, 8_000, 8_001, 200_000),
})

/** The members that may answer the call, by index: the rules of the specification, one after the other. */
const reference = ({ members, group, model, hasTools, stream, promptTokens }: Fleet) => {
  const inGroup = [...members.keys()].filter(at => members[at]!.groups.includes(group))
  const listing = (name: string) => inGroup.filter(at => members[at]!.models.includes(name))
  const prefixes = models
    .filter(each => each.endsWith('*') && model.startsWith(each.slice(0, -1)))
    .sort((a, b) => b.length - a.length)
  const listed = [model, ...prefixes].map(listing).find(each => each.length > 0) ?? []
  const able = listed.filter(at => {
    const { onlyChat, noStream, isExcluded, contextSize } = members[at]!
    const fits = contextSize === undefined || contextSize >= promptTokens
    return fits && !isExcluded && !(onlyChat && hasTools) && !(noStream && stream)
  })
  const healthy = able.filter(at => members[at]!.cooldownEnd === 0 && !members[at]!.isProbed)
  const top = Math.max(...healthy.map(at => members[at]!.priority))
  const drawn = healthy.filter(at => members[at]!.priority === top)
  const firstEnd = Math.min(...able.map(at => members[at]!.cooldownEnd))
  return { drawn, coolingDown: able.filter(at => members[at]!.cooldownEnd === firstEnd) }
}

const channelOf = (id: number, each: Member, model: string): Channel => ({
  ...{ id, name: `c${id}`, provider: providers[0]!, baseUrl: '', other: '', options: {} },
  keys: [{ index: 1, credential: 'key', fingerprint: 'f', changedAt: 0 }],
  ...{ storedKeys: [], keyRotation: 'random', proxy: '', mapping: new Map(), requestHeaders: {} },
  ...{ customParameter: undefined, unsupportedDialect: undefined, keepsUnknownFields: false },
  ...{ preCost: 1, testModel: '', fingerprint: '', onlyChat: each.onlyChat },
  ...{ groups: each.groups, models: each.models, priority: each.priority, weight: each.weight },
  unstreamableModels: new Set(each.noStream ? [model] : []),
  contextSizes: new Map(each.contextSize === undefined ? [] : [[model, each.contextSize]]),
})

const selectorOf = ({ members, group, model, hasTools, stream, promptTokens }: Fleet) => {
  const channels = members.map((each, at) => channelOf(at, each, model))
  const index = makeChannelIndex(new Map(channels.map(each => [each.id, each])))
  const candidates = findCandidates(index, group, model) ?? { tiers: [] }
  const excluded = new Set([...members.keys()].filter(at => members[at]!.isExcluded))
  const criteria = (random: () => number): PickCriteria => ({
    ...{ model, operation: 'chat', hasTools, stream, promptTokens, excluded, random },
    cooldownEnd: ({ id }) => members[id]!.cooldownEnd,
    isProbed: ({ id }) => members[id]!.isProbed,
  })
  return {
    pick: (random: () => number) => pick(candidates, criteria(random))?.id,
    pickCoolingDown: () => pickCoolingDown(candidates, criteria(Math.random))?.id,
  }
}

/** A generator with a fixed seed (mulberry32), so that no run differs from another. */
const seeded = (seed: number) => () => {
  seed = (seed + 0x6d2b79f5) | 0
  let mixed = Math.imul(seed ^ (seed >>> 15), 1 | seed)
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
}

it('of 10,000 fleets the selector chooses among the channels that the rules allow', () => {
  fc.assert(
    fc.property(fleet, each => {
      const { drawn, coolingDown } = reference(each)
      const selector = selectorOf(each)
      const random = seeded(1)
      const chosen = new Set(Array.from({ length: 4 }, () => selector.pick(random)))
      if (drawn.length === 0) expect([...chosen]).toEqual([undefined])
      else for (const id of chosen) expect(drawn).toContain(id)
      if (drawn.length === 1) expect([...chosen]).toEqual(drawn)
      const first = selector.pickCoolingDown()
      if (coolingDown.length === 0) expect(first).toBeUndefined()
      else expect(coolingDown).toContain(first)
    }),
    { numRuns: 10_000, seed: 17 },
  )
})

it('the shares of channels are their weights, also where some of them are passed over', () => {
  const draws = 4_000
  fc.assert(
    fc.property(fleet, each => {
      const { drawn } = reference(each)
      fc.pre(drawn.length > 1)
      const selector = selectorOf(each)
      const random = seeded(2)
      const counts = new Map<number, number>()
      for (let n = 0; n < draws; n++) {
        const id = selector.pick(random)!
        counts.set(id, (counts.get(id) ?? 0) + 1)
      }
      const weightOf = (at: number) => Math.max(1, each.members[at]!.weight)
      const total = drawn.reduce((sum, at) => sum + weightOf(at), 0)
      // Pearson's statistic has the mean `n` and the variance `2n`: this bound is above five deviations.
      const degrees = drawn.length - 1
      const statistic = drawn.reduce((sum, at) => {
        const expected = (draws * weightOf(at)) / total
        return sum + ((counts.get(at) ?? 0) - expected) ** 2 / expected
      }, 0)
      expect(statistic).toBeLessThan(degrees + 6 * Math.sqrt(2 * degrees) + 10)
    }),
    { numRuns: 150, seed: 17 },
  )
})
