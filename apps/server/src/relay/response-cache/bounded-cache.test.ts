import { expect, it } from 'vitest'
import { makeBoundedCache } from './bounded-cache.ts'

let now = 0
const open = () => makeBoundedCache<string>(() => now)
const bounds = { entriesMax: 3, bytesMax: 100, size: 10, seconds: 5 }

it('the least recently used entry is dropped once there are too many', () => {
  const cache = open()
  for (const key of ['a', 'b', 'c']) cache.set(key, key, bounds)
  expect(cache.get('a')).toBe('a')
  cache.set('d', 'd', bounds)
  expect(['a', 'b', 'c', 'd'].map(cache.get)).toEqual(['a', undefined, 'c', 'd'])
})

it('bytes are bounded, and a value that is larger than the bound is not stored', () => {
  const cache = open()
  cache.set('a', 'a', { ...bounds, size: 60 })
  cache.set('b', 'b', { ...bounds, size: 60 })
  expect(['a', 'b'].map(cache.get)).toEqual([undefined, 'b'])
  cache.set('c', 'c', { ...bounds, size: 101 })
  expect(['b', 'c'].map(cache.get)).toEqual(['b', undefined])
  cache.set('b', 'again', { ...bounds, size: 90 })
  cache.set('d', 'd', bounds)
  expect(['b', 'd'].map(cache.get)).toEqual(['again', 'd'])
})

it('an entry ends with its time', () => {
  const cache = open()
  cache.set('a', 'a', bounds)
  now += 4_999
  expect(cache.get('a')).toBe('a')
  now += 1
  expect(cache.get('a')).toBeUndefined()
})
