import { hash } from 'node:crypto'
import { expect, it } from 'vitest'
import { makeKeySet } from './key-set.ts'

const hashOf = (n: number) => hash('sha256', `key ${n}`)

it('contains every added key and no other', () => {
  const keys = makeKeySet()
  for (let n = 0; n < 20_000; n++) keys.add(hashOf(n))
  keys.add(hashOf(7))
  expect(keys.size()).toBe(20_000)
  for (let n = 0; n < 20_000; n++) expect(keys.has(hashOf(n))).toBe(true)
  for (let n = 20_000; n < 40_000; n++) expect(keys.has(hashOf(n))).toBe(false)
})

it('REL-12 a hash that is not hexadecimal is left out', () => {
  const keys = makeKeySet()
  keys.add('x'.repeat(64))
  expect([keys.size(), keys.has('x'.repeat(64))]).toEqual([0, false])
})
