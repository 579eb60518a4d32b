import { expect, it } from 'vitest'
import { anthropic } from '../../anthropic/index.ts'
import type { ChatEvent } from '../../canon.ts'
import { gemini } from '../index.ts'

const signature = { dialect: 'anthropic', text: 'EqQBCgIYAhIM1gbcDa9G+/==' } as const
const encoded: ChatEvent[] = [
  { type: 'start', id: 'msg_1', model: 'm' },
  { type: 'part', index: 0, part: { type: 'thinking', text: '' } },
  { type: 'delta', index: 0, text: 'First the ' },
  { type: 'delta', index: 0, text: 'file.' },
  { type: 'signature', index: 0, signature },
  { type: 'part', index: 1, part: { type: 'tool-call', id: 'c1', name: 'read', input: '{}' } },
  { type: 'finish', finish: { reason: 'tools' } },
  { type: 'end' },
]

/** The parts of a stream, as the official client's chats keep them. */
const partsOf = (events: ChatEvent[]) => {
  const encoder = gemini.encodeEvents()
  return events
    .map(event => encoder.push(event))
    .join('')
    .split('\n\n')
    .filter(Boolean)
    .flatMap(frame => JSON.parse(frame.slice('data: '.length)).candidates?.[0].content.parts ?? [])
    .filter(({ text, thoughtSignature }) => text !== '' || thoughtSignature)
}

const encodeMessages = (contents: object[]) => {
  const read = gemini.decodeRequest({ contents }, { model: 'm', stream: true })
  if (!read.ok) throw new Error(read.hint)
  return anthropic.encodeRequest(read.request).body.messages
}

it.each(['one turn', 'a turn for each part'])(
  'another vendor’s thought goes back whole, with what signed it: %s',
  form => {
    const parts = partsOf(encoded)
    expect(parts).toHaveLength(4)
    const turns =
      form === 'one turn'
        ? [{ role: 'model', parts }]
        : parts.map(each => ({ role: 'model', parts: [each] }))
    const messages = encodeMessages([{ role: 'user', parts: [{ text: 'x' }] }, ...turns]) as {
      content: object[]
    }[]
    expect(messages.slice(1).flatMap(each => each.content)).toEqual([
      { type: 'thinking', thinking: 'First the file.', signature: signature.text },
      { type: 'tool_use', id: 'c1', name: 'read', input: {} },
    ])
  },
)

it('a thought that was hidden stays hidden', () => {
  const hidden: ChatEvent[] = [
    { type: 'start', id: 'msg_1', model: 'm' },
    { type: 'part', index: 0, part: { type: 'thinking', text: '', redacted: true, signature } },
    { type: 'part', index: 1, part: { type: 'text', text: 'Yes.' } },
    { type: 'end' },
  ]
  const [message] = encodeMessages([{ role: 'model', parts: partsOf(hidden) }]) as {
    content: object[]
  }[]
  expect(message?.content[0]).toEqual({ type: 'redacted_thinking', data: signature.text })
})

const read = (contents: object[]) => {
  const result = gemini.decodeRequest({ contents }, { model: 'm', stream: true })
  if (!result.ok) throw new Error(result.hint)
  return result.request.messages
}
const sealed = Buffer.from(`anthropic:${signature.text}`).toString('base64')
const thought = (text: string, thoughtSignature?: string) => ({
  text,
  thought: true,
  ...(thoughtSignature ? { thoughtSignature } : {}),
})

it.each([
  ['a proof of its own dialect', [thought('a'), thought('', 'c2ln')], ['a', '']],
  ['a proof with words of its own', [thought('a'), thought('b', sealed)], ['a', 'b']],
  [
    'a proof behind other words',
    [thought('a'), { text: 'x' }, thought('', sealed)],
    ['a', 'x', ''],
  ],
  ['a second proof', [thought('a'), thought('', sealed), thought('', sealed)], ['a', '']],
  ['a proof of what came behind a proof', [thought('', sealed), thought('a')], ['', 'a']],
])('only what one late proof signed is joined: %s', (_, parts, texts) => {
  const [message] = read([{ role: 'model', parts }])
  expect(message?.parts.map(part => 'text' in part && part.text)).toEqual(texts)
})

it('a proof signs nothing beyond its turn, and takes no other turn away', () => {
  const model = (...parts: object[]) => ({ role: 'model', parts })
  const encoded = read([
    model(thought('a')),
    { role: 'user', parts: [] },
    model(thought('b'), thought('', sealed)),
  ])
  expect(encoded).toEqual([
    { role: 'assistant', parts: [{ type: 'thinking', text: 'a' }] },
    { role: 'user', parts: [] },
    { role: 'assistant', parts: [{ type: 'thinking', text: 'b', signature }] },
  ])
})
