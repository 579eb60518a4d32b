import { expect, it } from 'vitest'
import { isStorageFull } from './query-errors.ts'

it.each([
  [{ code: '53100' }, true],
  [{ code: '53200' }, false],
  [{ cause: { sqliteCode: 13 } }, true],
  [{ cause: { sqliteCode: 2067 } }, false],
  [new TypeError('other'), false],
  [undefined, false],
])('%j is an error of full storage: %j', (error, isFull) => {
  expect(isStorageFull(error)).toBe(isFull)
})
