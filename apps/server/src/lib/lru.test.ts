import { expect, it } from 'vitest'
import { makeLru } from './lru.ts'

it('keeps the half that was used last, and forgets what was used longest ago', () => {
  const lru = makeLru<number, string>(10)
  for (let n = 0; n < 1000; n++) lru.set(n, String(n))
  for (let n = 995; n < 1000; n++) expect(lru.get(n)).toBe(String(n))
  expect(lru.get(0)).toBeUndefined()
})

it('what is used again and again stays, whatever comes and goes', () => {
  const lru = makeLru<string, number>(10)
  lru.set('kept', 1)
  for (let n = 0; n < 1000; n++) {
    lru.set(`passing ${n}`, n)
    expect(lru.get('kept')).toBe(1)
  }
})

it('never holds more than its size', () => {
  const lru = makeLru<number, number>(10)
  for (let n = 0; n < 1000; n++) {
    lru.set(n % 37, n)
    const held = Array.from({ length: 37 }, (_, key) => key).filter(
      key => lru.get(key) !== undefined,
    )
    expect(held.length).toBeLessThanOrEqual(10)
  }
})

it('a key that is set again keeps one place, and one that is deleted has none', () => {
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
