import { expect, it } from 'vitest'
import { isWithin, makeTimeOfDayFormatter } from './time-of-day.ts'

const at = (text: string) => Date.parse(text) / 1000

it('the time of day is that of the time zone, with its clock changes', () => {
  const shanghai = makeTimeOfDayFormatter('Asia/Shanghai')
  expect(shanghai(at('2026-11-21T15:59:59Z'))).toBe('23:59')
  expect(shanghai(at('2026-11-21T16:00:00Z'))).toBe('00:00')
  const berlin = makeTimeOfDayFormatter('Europe/Berlin')
  expect(berlin(at('2026-03-29T00:59:59Z'))).toBe('01:59')
  expect(berlin(at('2026-03-29T01:00:00Z'))).toBe('03:00')
})

it.each([
  ['07:59', false],
  ['08:00', true],
  ['19:59', true],
  ['20:00', false],
])('08:00 to 20:00: %s is inside: %s', (time, expected) =>
  expect(isWithin(time, '08:00', '20:00')).toBe(expected),
)

it.each([
  ['19:59', false],
  ['20:00', true],
  ['00:00', true],
  ['07:59', true],
  ['08:00', false],
])('20:00 to 08:00 passes midnight: %s is inside: %s', (time, expected) =>
  expect(isWithin(time, '20:00', '08:00')).toBe(expected),
)
