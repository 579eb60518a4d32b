import { expect, test } from 'vitest'
import { joinChunks, makeBodyCollector } from './large-buffers.ts'

const mebibyte = 1024 * 1024

test('joined chunks are freed, and memory that is shared with others is not', () => {
  const shared = Buffer.from(new ArrayBuffer(4), 1, 2)
  shared.write('lo')
  const own = Buffer.from(new ArrayBuffer(3))
  own.write('hel')
  expect(joinChunks([own, shared]).toString()).toBe('hello')
  expect([own.length, shared.toString()]).toEqual([0, 'lo'])
})

test('a single chunk is kept as it is', () => {
  const chunk = Buffer.from(new ArrayBuffer(3))
  expect(joinChunks([chunk])).toBe(chunk)
  expect(chunk.length).toBe(3)
})

test('young garbage is collected after 16 MiB of bodies, and later while many are in use', () => {
  let collections = 0
  const noteBody = makeBodyCollector(() => {
    collections += 1
  })
  const note = (count: number, bytesInUse: number) => {
    for (let done = 0; done < count; done += 1) noteBody(mebibyte, bytesInUse)
    return collections
  }
  expect([note(15, 0), note(1, 0), note(15, 0), note(1, 0)]).toEqual([0, 1, 1, 2])
  expect([note(39, 20 * mebibyte), note(1, 20 * mebibyte)]).toEqual([2, 3])
})
