import { expect, it } from 'vitest'
import { openaiRealtime } from './openai.ts'

const { readSent } = openaiRealtime.openReader()
const count = (message: object) => readSent(Buffer.from(JSON.stringify(message)))
const item = (...content: object[]) => ({
  type: 'conversation.item.create',
  item: { type: 'message', role: 'user', content },
})

it('the text of a message counts without its syntax', () => {
  const text = 'word '.repeat(40)
  expect(count(item({ type: 'input_text', text }))).toEqual({ text: 50, audio: 0, image: 0 })
  expect(count({ type: 'response.create' }).text).toBe(0)
  expect(count({ type: 'session.update', session: { instructions: text } }).text).toBe(50)
})

it('definitions of tools count with their keys', () => {
  const tools = [{ type: 'function', name: 'clock', parameters: { type: 'object' } }]
  expect(count({ type: 'session.update', session: { tools } }).text).toBeGreaterThan(15)
})

it('base64 is no text: sound counts by its length, and an image once', () => {
  const second = 'A'.repeat(64_000)
  const sound = count(item({ type: 'input_audio', audio: second }))
  expect(sound).toEqual({ text: 0, audio: expect.closeTo(10, 0), image: 0 })
  const image_url = `data:image/png;base64,${second}`
  expect(count(item({ type: 'input_image', image_url }))).toEqual({ text: 0, audio: 0, image: 765 })
})
