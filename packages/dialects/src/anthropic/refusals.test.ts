import { expect, it } from 'vitest'
import type { ChatEvent, Part } from '../canon.ts'
import { anthropic } from './index.ts'

const no: Part = { type: 'text', text: 'I cannot help with that.', refusal: true }

it('a refusal in another vendor’s words ends with the reason that says so', () => {
  const { body } = anthropic.encodeResponse({
    id: 'r',
    model: 'm',
    choices: [{ parts: [no], finish: { reason: 'stop' } }],
  })
  expect(body).toMatchObject({ stop_reason: 'refusal', content: [{ type: 'text', text: no.text }] })
})

it('so does a stream', () => {
  const encoder = anthropic.encodeEvents()
  const events: ChatEvent[] = [
    { type: 'start', id: 'r', model: 'm' },
    { type: 'part', index: 0, part: no },
    { type: 'finish', finish: { reason: 'stop' } },
    { type: 'end' },
  ]
  expect(events.map(event => encoder.push(event)).join('')).toContain('"stop_reason":"refusal"')
})

it('a request that must not be kept loses nothing at a vendor that keeps none', () => {
  const messages = [{ role: 'user' as const, parts: [{ type: 'text' as const, text: 'Hi' }] }]
  const ask = (store: boolean) => anthropic.encodeRequest({ model: 'm', messages, store }).warnings
  expect(ask(false)).toEqual([])
  expect(ask(true)).toEqual([{ dropped: 'store', dialect: 'anthropic' }])
})
