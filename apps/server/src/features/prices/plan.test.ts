import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { PricesTable } from '../../db/tables/prices.ts'
import { percent, planSync, toPricePlan } from './plan.ts'

const row = (model: string, input: string, more: Partial<PricesTable> = {}): PricesTable => ({
  model,
  type: 'tokens',
  channel_type: 1,
  input,
  output: input,
  locked: 0,
  extra_ratios: null,
  tiers: null,
  tool_prices: null,
  ...more,
})
const kindsOf = (plan: ReturnType<typeof planSync>) =>
  toPricePlan(plan).changes.map(each => `${each.kind} ${each.model}`)

const stored = [row('a', '1'), row('b', '2'), row('locked', '3', { locked: 1 }), row('old', '4')]
const list = [row('a', '1.0'), row('b', '2.5'), row('locked', '9'), row('new', '5')]

it('add only adds, update only changes, overwrite does both and deletes the rest; locked prices stay', () => {
  expect(kindsOf(planSync(stored, list, 'add'))).toEqual(['add new'])
  expect(kindsOf(planSync(stored, list, 'update'))).toEqual(['change b'])
  expect(kindsOf(planSync(stored, list, 'overwrite'))).toEqual([
    'change b',
    'add new',
    'remove old',
  ])
  for (const mode of ['add', 'update', 'overwrite'] as const) {
    const plan = planSync(stored, list, mode)
    expect(plan.locked).toEqual(['locked'])
    expect(plan.unchanged).toBe(1)
  }
})

it('a locked price that the list does not name is not deleted either', () => {
  expect(kindsOf(planSync(stored, [row('a', '1')], 'overwrite'))).toEqual([
    'remove b',
    'remove old',
  ])
})

it('rows that mean the same are no change, however they are written', () => {
  const one = row('a', '0.10', { extra_ratios: '{"reasoning_tokens":"2","cached_tokens":"0.5"}' })
  const two = row('a', '1e-1', { extra_ratios: '{"cached_tokens":0.50,"reasoning_tokens":2}' })
  expect(
    planSync([{ ...one, output: '1' }], [{ ...two, output: '1.0' }], 'overwrite'),
  ).toMatchObject({
    changes: [],
    unchanged: 1,
  })
})

it('the digest is of the changes and of what they were made from', () => {
  const digest = (now: PricesTable[], then = list, mode: 'update' | 'overwrite' = 'update') =>
    planSync(now, then, mode).digest
  expect(digest(stored)).toBe(digest([...stored].reverse()))
  // Rows that the plan does not touch do not affect the digest.
  expect(digest([...stored, row('other', '1')])).toBe(digest(stored))
  expect(digest(stored.map(each => (each.model === 'b' ? row('b', '2.1') : each)))).not.toBe(
    digest(stored),
  )
  expect(digest(stored.map(each => ({ ...each, locked: 1 })))).not.toBe(digest(stored))
  expect(
    digest(
      stored,
      list.map(each => ({ ...each, type: 'times' as const })),
    ),
  ).not.toBe(digest(stored))
  expect(digest(stored, list, 'overwrite')).not.toBe(digest(stored))
})

it('after a list was applied, the same list changes nothing more, whatever was there', () => {
  const rows = fc
    .uniqueArray(
      fc.record({
        model: fc.constantFrom('a', 'b', 'c', 'd', 'e*'),
        input: fc.constantFrom('0', '1', '2.5'),
        locked: fc.constantFrom(0, 1),
      }),
      { selector: each => each.model },
    )
    .map(all => all.map(({ model, input, locked }) => row(model, input, { locked })))
  const mode = fc.constantFrom('add' as const, 'update' as const, 'overwrite' as const)
  fc.assert(
    fc.property(rows, rows, mode, (now, then, how) => {
      const plan = planSync(now, then, how)
      const after = new Map(now.map(each => [each.model, each]))
      for (const change of plan.changes) {
        expect(after.get(change.model)).toBe(change.before)
        expect(change.before?.locked ?? 0).toBe(0)
        if (change.after) after.set(change.model, change.after)
        else after.delete(change.model)
      }
      for (const each of now) if (each.locked) expect(after.get(each.model)).toBe(each)
      expect(planSync([...after.values()], then, how).changes).toEqual([])
    }),
  )
})

it('a change is told in percent, exactly, and not at all from nothing', () => {
  expect(percent('1', '1.5')).toBe(50)
  expect(percent('3', '1')).toBe(-66.67)
  expect(percent('3', '4')).toBe(33.33)
  expect(percent('0.0000001', '0.00000011')).toBe(10)
  expect(percent('2', '0')).toBe(-100)
  expect(percent('0', '0')).toBe(0)
  expect(percent('0', '1')).toBeNull()
  const change = toPricePlan(
    planSync([row('a', '1')], [row('a', '2', { type: 'times' })], 'update'),
  )
  expect(change.changes[0]).toMatchObject({ input_percent: null, output_percent: null })
})

it('the plan names the models that become free, but no video by the second and no model that stays', () => {
  const list = [
    row('free', '0'),
    row('half', '0', { output: '1' }),
    row('call', '0', { type: 'times', output: '5' }),
    row('video', '0', { type: 'times', tool_prices: '{"second":"0.1"}' }),
    row('same', '0'),
  ]
  const plan = toPricePlan(planSync([row('same', '0')], list, 'overwrite'))
  expect(plan.free).toEqual(['call', 'free'])
})
