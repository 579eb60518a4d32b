import { describe, expect, it } from 'vitest'
import type { Message, Part } from '../../canon.ts'
import { anthropic } from '../index.ts'

const text = (payload: string): Part => ({ type: 'text', text: payload })
const message = (role: Message['role'], ...parts: (Part | string)[]): Message => ({
  role,
  parts: parts.map(each => (typeof each === 'string' ? text(each) : each)),
})
const result = (id: string): Part => ({ type: 'tool-result', id, parts: [text(id)] })
const block = (payload: string) => ({ type: 'text', text: payload })
const resultBlock = (id: string) => ({ type: 'tool_result', tool_use_id: id, content: id })

const ask = (...messages: Message[]) => {
  const { body, warnings } = anthropic.encodeRequest({ model: 'm', messages })
  return {
    system: body.system,
    messages: body.messages,
    warnings: warnings.map(each => each.dropped),
  }
}

// https://platform.claude.com/docs/en/api/messages/create
describe('messages that are read', () => {
  const read = (body: object): Message[] => {
    const decoded = anthropic.decodeRequest({ model: 'm', messages: [], ...body })
    if (!decoded.ok) throw new Error(decoded.hint)
    return decoded.request.messages
  }

  it.each([undefined, null, '', []])('a system of %j is none', system =>
    expect(read({ system })).toEqual([]),
  )

  it('the system leads, and each is said by whom it was', () => {
    const messages = ['user', 'assistant', 'tool'].map(role => ({ role, content: role }))
    expect(read({ system: [block('a'), block('b')], messages })).toStrictEqual([
      message('system', 'a', 'b'),
      message('user', 'user'),
      message('assistant', 'assistant'),
      message('user', 'tool'),
    ])
  })

  it('a system message stays where it stood, and every other field goes with its message', () => {
    const messages = [
      { role: 'user', content: 'a', x: 1 },
      { role: 'system', content: 'b', x: 2 },
      { role: 'user', content: [block('c')] },
    ]
    const unknownFields = (fields: Record<string, unknown>) => ({
      dialect: 'anthropic' as const,
      fields,
    })
    const decoded = read({ messages })
    expect(decoded).toStrictEqual([
      { ...message('user', 'a'), unknownFields: unknownFields({ x: 1 }) },
      { ...message('system', 'b'), unknownFields: unknownFields({ role: 'system', x: 2 }) },
      message('user', 'c'),
    ])
    expect(ask(...decoded)).toEqual({
      messages: [messages[0], messages[1], { role: 'user', content: 'c' }],
      warnings: [],
    })
  })
})

describe('messages that are told', () => {
  it('instructions lead, and that one was moved there is said', () => {
    expect(ask(message('system', 'a'), message('user', 'b'))).toStrictEqual({
      system: 'a',
      messages: [{ role: 'user', content: 'b' }],
      warnings: [],
    })
    const turns = [message('user', 'b'), message('developer', 'c', 'd'), message('user', 'e')]
    expect(ask(message('system', 'a'), ...turns)).toStrictEqual({
      system: [block('a'), block('c'), block('d')],
      messages: [
        { role: 'user', content: 'b' },
        { role: 'user', content: 'e' },
      ],
      warnings: ['messages.system (place)'],
    })
  })

  it('instructions behind the last turn are what the caller says last', () => {
    const encoded = ask(message('user', 'a'), message('assistant', 'b'), message('developer', 'c'))
    expect(encoded).toStrictEqual({
      system: undefined,
      messages: [
        { role: 'user', content: 'a' },
        { role: 'assistant', content: 'b' },
        { role: 'user', content: 'c' },
      ],
      warnings: [],
    })
  })

  it('results of several tools are one message, with the caller’s next words and no more', () => {
    const encoded = ask(
      message('user', 'a'),
      message('tool', result('1')),
      message('tool', result('2')),
      message('user', 'b'),
      message('user', 'c'),
      message('tool', result('3')),
      message('assistant', 'd'),
      message('user', 'e'),
    )
    expect(encoded.messages).toStrictEqual([
      { role: 'user', content: 'a' },
      { role: 'user', content: [resultBlock('1'), resultBlock('2'), block('b')] },
      { role: 'user', content: 'c' },
      { role: 'user', content: [resultBlock('3')] },
      { role: 'assistant', content: 'd' },
      { role: 'user', content: 'e' },
    ])
  })

  it('a message of which nothing can be told is none', () => {
    const unsigned: Part = { type: 'thinking', text: 'hm' }
    const encoded = ask(message('user', 'a'), message('assistant', unsigned), message('user', ''))
    expect(encoded).toMatchObject({
      messages: [{ role: 'user', content: 'a' }],
      warnings: ['thinking without a signature'],
    })
  })

  it.each<[Part, unknown]>([
    [text('a'), 'a'],
    [
      { type: 'text', text: 'a', cache: {} },
      [{ ...block('a'), cache_control: { type: 'ephemeral' } }],
    ],
    [
      { type: 'media', mime: 'image/png', url: 'https://media.example/a.png' },
      [{ type: 'image', source: { type: 'url', url: 'https://media.example/a.png' } }],
    ],
    [
      {
        type: 'thinking',
        text: '',
        redacted: true,
        signature: { dialect: 'anthropic', text: 'c2ln' },
      },
      [{ type: 'redacted_thinking', data: 'c2ln' }],
    ],
  ])('%j alone is a text only where it is nothing else', (part, content) =>
    expect(ask(message('user', part)).messages).toStrictEqual([{ role: 'user', content }]),
  )

  it('names and fields of another dialect are lost, and that is said', () => {
    const unknownFields = { dialect: 'openai-chat' as const, fields: { audio: {} } }
    const encoded = ask({ ...message('user', 'a'), name: 'Ann', unknownFields })
    expect(encoded).toMatchObject({
      messages: [{ role: 'user', content: 'a' }],
      warnings: ['messages.name', 'audio'],
    })
  })
})

// "final assistant content cannot end with trailing whitespace" https://github.com/langchain-ai/langchain/pull/35072
it.each([
  [['Say: \n'], 'Say:'],
  [
    ['One. ', 'Two. '],
    [block('One. '), block('Two.')],
  ],
  [['One. ', ' \t'], 'One.'],
])('the end of an answer to continue is trimmed: %j', (parts, content) => {
  const question = { role: 'user', content: 'Hi' }
  const { messages } = ask(message('user', 'Hi'), message('assistant', ...parts))
  expect(messages).toEqual([question, { role: 'assistant', content }])
  const whole = parts.length > 1 ? parts.map(block) : parts[0]
  const { messages: inTheMiddle } = ask(message('assistant', ...parts), message('user', 'Hi'))
  expect(inTheMiddle).toEqual([{ role: 'assistant', content: whole }, question])
})

it('an answer to continue that is blank is not sent', () => {
  const { messages } = ask(message('user', 'Hi'), message('assistant', ' \n'))
  expect(messages).toEqual([{ role: 'user', content: 'Hi' }])
})
