import { expect, test } from 'vitest'
import { makeRestDetector } from './idle-memory.ts'

const fiveMinutes = { idle: 0.001, work: 0.005 }
const rest = (intervals: number) => Array.from({ length: intervals }, () => fiveMinutes.idle)

test('memory is released once, half an hour after the start', () => {
  const endsRest = makeRestDetector()
  expect(rest(12).map(endsRest)).toEqual([
    ...[false, false, false, false, false, true],
    ...[false, false, false, false, false, false],
  ])
})

test('a pause of less than half an hour between calls releases nothing', () => {
  const endsRest = makeRestDetector()
  const day = Array.from({ length: 48 }, () => [...rest(5), fiveMinutes.work]).flat()
  expect(day.filter(endsRest)).toEqual([])
})

test('memory is released again after new work and another half hour', () => {
  const endsRest = makeRestDetector()
  const released = [...rest(9), 0.5, ...rest(7)].map(endsRest)
  expect(released.flatMap((isReleased, index) => (isReleased ? [index] : []))).toEqual([5, 15])
})
