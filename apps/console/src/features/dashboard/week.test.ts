import { expect, it } from 'vitest'
import { changeOf, weekOf } from './week.ts'

const row = (date: string, ModelName: string, Quota: number) => ({
  Date: date,
  ModelName,
  Quota,
  RequestCount: 1,
  PromptTokens: 2,
  CompletionTokens: 3,
  RequestTime: 4,
})

it('a week is seven days that end today, quiet days included', () => {
  const { days } = weekOf([row('2026-03-01', 'a', 5), row('2026-03-01', 'b', 6)], '2026-03-02')
  expect(days.map(each => each.date)).toEqual([
    '2026-02-24',
    '2026-02-25',
    '2026-02-26',
    '2026-02-27',
    '2026-02-28',
    '2026-03-01',
    '2026-03-02',
  ])
  expect(days[5]).toEqual({ date: '2026-03-01', requests: 2, quota: 11, tokens: 10 })
  expect(days[6]).toMatchObject({ requests: 0, quota: 0 })
})

it('models with costs are listed, the most expensive first', () => {
  const rows = [row('2026-03-01', 'a', 5), row('2026-03-02', 'b', 9), row('2026-03-02', 'free', 0)]
  expect(weekOf(rows, '2026-03-02').models.map(each => each.label)).toEqual(['b', 'a'])
})

it('the change from yesterday is 100 from zero, and -100 to zero', () => {
  expect([changeOf(0, 0), changeOf(3, 0), changeOf(0, 3), changeOf(3, 2)]).toEqual([
    0, 100, -100, 50,
  ])
})
