import { expect, it } from 'vitest'
import { makeDayFormatter } from '../../lib/time/calendar.ts'
import { dayBefore, totalsByDay } from './days.ts'

const at = (iso: string) => Date.parse(iso) / 1000
const quarter = (iso: string, model = 'm', quota = 1) => ({
  quarter: Math.floor(at(iso) / 900),
  model,
  requests: 1,
  quota,
  promptTokens: 2,
  completionTokens: 3,
  requestTime: 4,
})

it('a moment belongs to the day of the time zone', () => {
  expect(makeDayFormatter('Asia/Shanghai')(at('2026-03-01T16:00:00Z'))).toBe('2026-03-02')
  expect(makeDayFormatter('UTC')(at('2026-03-01T16:00:00Z'))).toBe('2026-03-01')
  expect(makeDayFormatter('Asia/Kathmandu')(at('2026-03-01T18:15:00Z'))).toBe('2026-03-02')
  expect(makeDayFormatter('Asia/Kathmandu')(at('2026-03-01T18:14:59Z'))).toBe('2026-03-01')
})

it('days before a day go by the calendar, also over a clock change and a leap day', () => {
  expect(dayBefore('2026-03-30', 7)).toBe('2026-03-23')
  expect(dayBefore('2028-03-01', 1)).toBe('2028-02-29')
  expect(dayBefore('2026-01-01', 1)).toBe('2025-12-31')
})

it('quarterHours of one day and model become one row, and no figure is lost', () => {
  const quarterHours = [
    quarter('2026-03-01T15:45:00Z'),
    quarter('2026-03-01T16:00:00Z'),
    quarter('2026-03-02T02:00:00Z', 'm', 5),
    quarter('2026-03-02T02:00:00Z', 'other'),
  ]
  expect(totalsByDay(quarterHours, makeDayFormatter('Asia/Shanghai'))).toMatchObject([
    { day: '2026-03-01', model: 'm', requests: 1, quota: 1 },
    { day: '2026-03-02', model: 'm', requests: 2, quota: 6, promptTokens: 4, requestTime: 8 },
    { day: '2026-03-02', model: 'other', requests: 1 },
  ])
})
