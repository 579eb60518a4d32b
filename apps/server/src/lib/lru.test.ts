import { expect, it } from 'vitest'
import { makeLru } from './lru.ts'

it('keeps the most recently used half and evicts the least recently used entries', () => {
  const lru = makeLru<number, string>(10)
  for (let n = 0; n < 1000; n++) lru.set(n, String(n))
  for (let n = 995; n < 1000; n++) expect(lru.get(n)).toBe(String(n))
  expect(lru.get(0)).toBeUndefined()
})

it('an entry in constant use survives any number of other insertions', () => {
  const lru = makeLru<string, number>(10)
  lru.set('constant', 1)
  for (let n = 0; n < 1000; n++) {
    lru.set(`other ${n}`, n)
    expect(lru.get('constant')).toBe(1)
  }
})

it('never holds more than its maximum', () => {
  const lru = makeLru<number, number>(10)
  for (let n = 0; n < 1000; n++) {
    lru.set(n % 37, n)
    const held = Array.from({ length: 37 }, (_, key) => key).filter(
      key => lru.get(key) !== undefined,
    )
    expect(held.length).toBeLessThanOrEqual(10)
  }
})

it('a key set twice is one entry, and a deleted key is absent', () => {
  const lru = makeLru<string, number>(2)
  lru.set('a', 1)
  lru.set('a', 2)
  expect(lru.get('a')).toBe(2)
  lru.delete('a')
  expect(lru.get('a')).toBeUndefined()
  lru.set('b', 3)
  lru.clear()
  expect(lru.get('b')).toBeUndefined()
})
