import { expect, it } from 'vitest'
import { cursorOf } from '../../json/cursor.ts'
import { emptyFrame, inspectFrame } from './inspect-frame.ts'

/** The output texts of a frame: how many, and the last one. */
const textsOf = (delta: object) => {
  const bytes = Buffer.from(JSON.stringify({ choices: [{ index: 0, delta }] }))
  const frame = emptyFrame()
  expect(inspectFrame(cursorOf(bytes), frame)).toBe(true)
  const { texts, textStart, textEnd } = frame
  return [texts, bytes.toString('utf8', textStart, textEnd)]
}

// A range with a quote would match no later frame, so that each frame would be parsed.
it.each([
  [{ content: 'Hello' }, 1, 'Hello'],
  [{ content: '' }, 1, ''],
  [{ reasoning_content: 'Hm', content: 'Hello' }, 2, 'Hello'],
  [{ tool_calls: [{ function: { arguments: '{"a":1}' } }] }, 1, String.raw`{\"a\":1}`],
])('the text range of the delta %j is the text without its quotes', (delta, count, text) => {
  expect(textsOf(delta)).toEqual([count, text])
})
