import { expect, it } from 'vitest'
import type { App } from '../../core/app.ts'
import { makeSealer } from '../../lib/seal.ts'
import { inventedState, isMarked, markOf } from './marks.ts'

const nodeWith = (masterKey: number) =>
  ({ seal: makeSealer(Buffer.alloc(32, masterKey)) }) as unknown as App

it('all nodes of an installation know each other’s marks, and those of no other', () => {
  const [node, second, stranger] = [nodeWith(1), nodeWith(1), nodeWith(2)]
  const mark = markOf(node)
  expect(mark).toMatch(/^[A-Za-z0-9]{8}$/)
  expect(markOf(second)).toBe(mark)
  expect(markOf(stranger)).not.toBe(mark)
  const body = Buffer.from(JSON.stringify({ signature: `gemini:${mark}c2ln` }))
  expect(isMarked(second, body, 'anthropic')).toBe(true)
  expect(isMarked(stranger, body, 'anthropic')).toBe(false)
  expect(inventedState(second, 'anthropic', 'm').isForeign(`gemini:${mark}c2ln`)).toBe(true)
  expect(inventedState(stranger, 'anthropic', 'm').isForeign(`gemini:${mark}c2ln`)).toBe(false)
})
