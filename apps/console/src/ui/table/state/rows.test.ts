import { expect, it } from 'vitest'
import { paginate } from './rows.ts'

it('marked rows stand above the others, each part in its order, over all pages', () => {
  const rows = ['d', 'b', 'a', 'c'].map(id => ({ id }))
  const state = { page: 1, size: 3, order: 'id', after: '', filters: {}, open: '' }
  const isFirst = ({ id }: { id: string }) => id === 'c' || id === 'd'
  const idsOf = (page: number) =>
    paginate(rows, { ...state, page }, isFirst).data.map(({ id }) => id)
  expect([idsOf(1), idsOf(2)]).toEqual([['c', 'd', 'a'], ['b']])
  expect(paginate(rows, state).data.map(({ id }) => id)).toEqual(['a', 'b', 'c'])
})
