import { expect, it } from 'vitest'
import { ErrorCollector } from './collector.ts'

const collect = () => {
  const dropped: number[] = []
  const collector = new ErrorCollector<string>(errors => dropped.push(errors))
  const add = (userId: number, model: string, now = 0, code = 'model.unknown') =>
    collector.add({ userId, code, model }, model => model, now)
  return { collector, add, dropped: () => dropped.reduce((sum, each) => sum + each, 0) }
}
const total = (rows: { count: number }[]) => rows.reduce((sum, { count }) => sum + count, 0)

it('a few errors are rows of their own, and are written at once', () => {
  const { collector, add } = collect()
  add(1, 'a')
  add(1, 'a')
  expect(collector.take(0)).toEqual([
    { error: 'a', count: 1 },
    { error: 'a', count: 1 },
  ])
  expect(collector.isEmpty()).toBe(true)
})

it('above the bound of a user, one row per code and model counts the others of the window', () => {
  const { collector, add } = collect()
  for (let n = 0; n < 50; n++) add(1, 'a')
  for (let n = 0; n < 5; n++) add(1, 'b')
  add(2, 'a')
  expect(collector.take(9_999)).toHaveLength(21)
  expect(collector.take(10_000)).toEqual([
    { error: 'a', count: 30 },
    { error: 'b', count: 5 },
  ])
})

it('a user who makes models up gets a bounded number of rows, and every call is counted', () => {
  const { collector, add, dropped } = collect()
  for (let n = 0; n < 5_000; n++) add(1, `made-up-${n}`)
  const rows = collector.take(0, true)
  expect(rows).toHaveLength(20 + 10 + 1)
  expect(rows.at(-1)).toEqual({ error: '', count: 4_970 })
  expect([total(rows), dropped()]).toEqual([5_000, 0])
})

it('a storm of many users is bounded for the node, and what has no row is counted as dropped', () => {
  const { collector, add, dropped } = collect()
  for (let n = 0; n < 10_000; n++) add(n, 'a')
  const rows = collector.take(0, true)
  expect(rows).toHaveLength(300)
  expect(total(rows) + dropped()).toBe(10_000)
})

it('a database that takes nothing for long costs rows, not memory', () => {
  const { collector, add, dropped } = collect()
  for (let window = 0; window < 100; window++)
    for (let n = 0; n < 20; n++) add(n, 'a', window * 10_000)
  expect(collector.take(1_000_000)).toHaveLength(1_000)
  expect(dropped()).toBe(1_000)
})
