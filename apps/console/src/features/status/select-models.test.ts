import type { AvailableModel } from '@hub/contract'
import { expect, it } from 'vitest'
import { selectModels } from './select-models.ts'

const model = (owned_by: string, output: number, pattern = 'x') =>
  ({ groups: ['default'], owned_by, price: { model: pattern, output } }) as AvailableModel

it('models of every maker are shown in turn, the most expensive of each first', () => {
  const models = {
    'a-small': model('A', 1),
    'a-large': model('A', 9),
    'b-one': model('B', 100),
    'c:*': model('C', 5),
    unpriced: model('D', 30, ''),
  }
  expect(selectModels(models).map(each => each.name)).toEqual(['a-large', 'b-one', 'a-small'])
})

it('at most eight models are shown, and none where there are none', () => {
  const many = Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`m${n}`, model('A', n)]))
  expect(selectModels(many)).toHaveLength(8)
  expect(selectModels({})).toEqual([])
})
