import { expect, it } from 'vitest'
import type { ChatEvent } from './canon.ts'
import { collectAnswer } from './collect.ts'

const start: ChatEvent = { type: 'start', id: 'a', model: 'm' }
const partsOf = (events: ChatEvent[]) => collectAnswer([start, ...events]).choices[0]?.parts

it('a sound told in pieces is its bytes and its words, also where each piece is padded', () => {
  const bytes = Buffer.from('four')
  const [one, two] = [bytes.subarray(0, 2), bytes.subarray(2)].map(each => each.toString('base64'))
  expect(one).toMatch(/=$/)
  const sound = { type: 'media' as const, mime: 'audio/wav' }
  expect(
    partsOf([
      { type: 'part', index: 0, part: sound },
      { type: 'delta', index: 0, text: one ?? '' },
      { type: 'transcript', index: 0, text: 'It' },
      { type: 'delta', index: 0, text: two ?? '' },
      { type: 'transcript', index: 0, text: ' rains' },
    ]),
  ).toEqual([{ ...sound, base64: bytes.toString('base64'), transcript: 'It rains' }])
})

it('what belongs to a sound is not hung on a text, and what belongs to a text not on a sound', () => {
  expect(
    partsOf([
      { type: 'part', index: 0, part: { type: 'text', text: 'a' } },
      { type: 'transcript', index: 0, text: 'never' },
      { type: 'delta', index: 0, text: 'b' },
    ]),
  ).toEqual([{ type: 'text', text: 'ab' }])
})

it('an event that was collected is the same afterwards', () => {
  const part = { type: 'text' as const, text: 'a' }
  const event: ChatEvent = { type: 'part', index: 0, part }
  partsOf([event, { type: 'delta', index: 0, text: 'b' }])
  expect(part).toEqual({ type: 'text', text: 'a' })
})
