import { VirtualCandidate } from '@hub/contract'
import { expect, it } from 'vitest'
import { unmetCondition } from './conditions.ts'
import { drawOrder } from './order.ts'

const traits = { tokens: 100, tools: false, images: false, timeOfDay: '12:00' }
const unmet = (conditions: object, request: object = {}) =>
  unmetCondition(VirtualCandidate.parse({ model: 'm', ...conditions }), { ...traits, ...request })

it.each([
  [{ min_tokens: 100 }, { tokens: 99 }, 'tokens'],
  [{ min_tokens: 100 }, { tokens: 100 }, undefined],
  [{ max_tokens: 100 }, { tokens: 100 }, undefined],
  [{ max_tokens: 100 }, { tokens: 101 }, 'tokens'],
  [{ max_tokens: 0 }, { tokens: 1 }, 'tokens'],
  [{ tools: 'with' }, { tools: false }, 'tools'],
  [{ tools: 'with' }, { tools: true }, undefined],
  [{ tools: 'without' }, { tools: true }, 'tools'],
  [{ images: 'with' }, { images: false }, 'images'],
  [{ images: 'without' }, { images: true }, 'images'],
  [{ images: 'without' }, { images: false }, undefined],
  [{ from: '22:00', until: '06:00' }, { timeOfDay: '06:00' }, 'time'],
  [{ from: '22:00', until: '06:00' }, { timeOfDay: '22:00' }, undefined],
  [{}, { tokens: 1e9, tools: true, images: true }, undefined],
])('a candidate with %j meets a request with %j, except for: %s', (conditions, request, reason) =>
  expect(unmet(conditions, request)).toBe(reason),
)

it('bounds that no request can meet are refused, and half a period', () => {
  const parse = (fields: object) => VirtualCandidate.safeParse({ model: 'm', ...fields }).success
  expect(parse({ min_tokens: 2, max_tokens: 1 })).toBe(false)
  expect(parse({ min_tokens: 2, max_tokens: 2 })).toBe(true)
  expect(parse({ from: '08:00' })).toBe(false)
  expect(parse({ from: '08:00', until: '08:00' })).toBe(false)
  expect(parse({ from: '24:00', until: '08:00' })).toBe(false)
  expect(parse({ model: 'a,b' })).toBe(false)
  expect(parse({ model: 'gpt-*' })).toBe(false)
})

it('tiers come in their order, and within one each place is drawn by weight', () => {
  const candidates = [
    { name: 'late', tier: 2, weight: 1 },
    { name: 'light', tier: 1, weight: 1 },
    { name: 'heavy', tier: 1, weight: 3 },
  ]
  const namesAt = (point: number) => drawOrder(candidates, () => point).map(each => each.name)
  expect(namesAt(0)).toEqual(['light', 'heavy', 'late'])
  expect(namesAt(0.249)).toEqual(['light', 'heavy', 'late'])
  expect(namesAt(0.25)).toEqual(['heavy', 'light', 'late'])
  expect(namesAt(0.999)).toEqual(['heavy', 'light', 'late'])
})
