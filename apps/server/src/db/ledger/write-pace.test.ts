import { expect, it } from 'vitest'
import { WritePace } from './write-pace.ts'

const usualMs = 1_000

it('a quick database gets no more than the usual time', () => {
  const pace = new WritePace(usualMs)
  for (const milliseconds of [2, 5, 250]) pace.note(milliseconds)
  expect(pace.allowance()).toBe(0)
})

it('a database that takes long for each batch gets several times as long', () => {
  const pace = new WritePace(usualMs)
  pace.note(600)
  expect(pace.allowance()).toBe(1_400)
})

it('a batch that hung for a minute lengthens the time by four seconds at most, and is forgotten', () => {
  const pace = new WritePace(usualMs)
  pace.note(60_000)
  expect(pace.allowance()).toBe(4_000)
  for (let batch = 0; batch < 100; batch += 1) pace.note(3)
  expect(pace.allowance()).toBe(0)
})
