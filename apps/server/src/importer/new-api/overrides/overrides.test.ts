import { expect, it } from 'vitest'
import { parametersOf } from './overrides.ts'

const carried = (operations: unknown[], more: object = {}) => {
  const notes: string[] = []
  const text = parametersOf({ ...more, operations } as never, notes)
  return { parameter: text === '' ? undefined : JSON.parse(text), notes }
}
const set = { path: 'a.b', mode: 'set', value: 1 }

it.each([
  [set, { set: { 'a.b': 1 } }],
  [{ ...set, keep_origin: true }, { default: { 'a.b': 1 } }],
  [{ path: 'a', mode: 'delete' }, { delete: ['a'] }],
  [
    { ...set, conditions: [{ path: 'model', mode: 'prefix', value: 'gpt' }] },
    { when: [{ model: 'gpt*' }], any: true, set: { 'a.b': 1 } },
  ],
  [
    {
      ...{ ...set, logic: 'AND' },
      conditions: [
        { path: 'original_model', mode: 'full', value: 'm' },
        { path: 'x', mode: 'full', value: 2 },
        { path: 'y', mode: 'suffix', value: 'z' },
        { path: 'y', mode: 'contains', value: 'z' },
      ],
    },
    {
      when: [
        { model: 'm' },
        { field: 'x', equals: 2 },
        { field: 'y', matches: '*z' },
        { field: 'y', matches: '*z*' },
      ],
      set: { 'a.b': 1 },
    },
  ],
])('the operation %j becomes a rule', (operation, rule) => {
  expect(carried([operation])).toEqual({ parameter: { overwrite: true, rules: [rule] }, notes: [] })
})

it.each([
  [{ path: 'a', mode: 'move', from: 'a', to: 'b' }],
  [{ path: 'max_tokens', mode: 'set', value: 5 }],
  [{ ...set, conditions: [{ path: 'a', mode: 'gt', value: 5 }] }],
  [{ ...set, conditions: [{ path: 'a', mode: 'full', value: 5, invert: true }] }],
  [{ ...set, conditions: [{ path: 'a', mode: 'prefix', value: 'b*' }] }],
  ['text'],
])('the operation %j is named, since it has no counterpart', operation => {
  const { parameter, notes } = carried([operation, set])
  expect(parameter.rules).toEqual([{ set: { 'a.b': 1 } }])
  expect(notes).toEqual([expect.stringContaining('the operation 0')])
})

it('fields and operations of one channel are carried together', () => {
  const { parameter } = carried([set], { top_p: 1 })
  expect(parameter).toEqual({ overwrite: true, top_p: 1, rules: [{ set: { 'a.b': 1 } }] })
})
