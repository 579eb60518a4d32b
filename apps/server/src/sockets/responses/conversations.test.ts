import { expect, it } from 'vitest'
import { makeMemories } from './conversations.ts'

const turn = (id: string, previousId?: string, more = {}) => ({
  ...{ id, previousId, isBeginning: false, isStored: false },
  items: [id.repeat(10)],
  ...more,
})

it('a conversation is read back with all its turns, also where another branches off', () => {
  const memory = makeMemories().open()
  memory.add(turn('a'))
  memory.add(turn('b', 'a'))
  memory.add(turn('c', 'a'))
  expect(memory.read('c')?.items).toEqual(['a'.repeat(10), 'c'.repeat(10)])
  expect(memory.read('b')?.items).toEqual(['a'.repeat(10), 'b'.repeat(10)])
})

it('a turn without the conversation before it is not remembered, unless that is stored', () => {
  const memory = makeMemories().open()
  memory.add(turn('b', 'a'))
  expect(memory.has('b')).toBe(false)
  memory.add(turn('c', 'stored', { isBeginning: true }))
  expect(memory.read('c')).toMatchObject({ stored: 'stored', items: ['c'.repeat(10)] })
})

it('a connection that remembers too much starts again, and so does the least recently used one', () => {
  // Each turn takes 14 characters.
  const memories = makeMemories({ total: 60, each: 30 })
  const [first, second, third] = [memories.open(), memories.open(), memories.open()]
  for (const id of ['a', 'b', 'c']) first.add(turn(id))
  expect(['a', 'b', 'c'].map(first.has)).toEqual([false, false, true])
  for (const id of ['a', 'b']) second.add(turn(id))
  first.read('c')
  for (const id of ['a', 'b']) third.add(turn(id))
  expect([first.has('c'), second.has('a'), third.has('a')]).toEqual([true, false, true])
  third.clear()
  first.clear()
  expect(memories.used()).toBe(0)
})

it('a failed turn forgets the response that it continued, and no other', () => {
  const memory = makeMemories().open()
  memory.add(turn('a'))
  memory.add(turn('b', 'a'))
  memory.forget('b')
  expect([memory.has('a'), memory.has('b'), memory.read('b')]).toEqual([true, false, undefined])
})
