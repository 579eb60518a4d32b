import { describe, expect, it } from 'vitest'
import type { ChatRequest } from '../canon.ts'
import { type CallerDialectId, dialectOf, isDialect } from '../index.ts'
import type { Json } from '../json/json.ts'
import { emptyConversation, withUserMessage } from './empty-conversation.ts'

const instruction = { role: 'system', content: 'Be a pirate.' }

/** Bodies without a conversation, by the dialect of their caller. */
const empty: Readonly<Record<CallerDialectId, object[]>> = {
  'openai-chat': [{ messages: [] }],
  'openai-responses': [
    {},
    { input: [] },
    { input: null },
    { instructions: 'Be a pirate.' },
    { instructions: 'Be a pirate.', input: [] },
  ],
  anthropic: [{ messages: [] }, { messages: [], system: 'Be a pirate.' }],
  gemini: [
    {},
    { contents: [] },
    { contents: [], systemInstruction: { parts: [{ text: 'Be a pirate.' }] } },
  ],
}

const filled: Readonly<Record<CallerDialectId, object[]>> = {
  'openai-chat': [{ messages: [instruction] }],
  'openai-responses': [
    { input: 'Hi.' },
    { input: [instruction] },
    { prompt: { id: 'pmpt_1' } },
    { previous_response_id: 'resp_1' },
    { input: [], conversation: 'conv_1' },
  ],
  anthropic: [{ messages: [{ role: 'user', content: 'Hi.' }] }],
  gemini: [{ contents: [{ role: 'user', parts: [{ text: 'Hi.' }] }] }],
}

const callers = Object.keys(empty) as CallerDialectId[]

describe.each(callers)('a request of %s', dialect => {
  it.each(empty[dialect])('is refused without a conversation: %j', body => {
    expect(emptyConversation(dialect, body as Json)).toMatch(/messages|input|contents/)
  })

  it.each(filled[dialect])('is accepted with a conversation: %j', body => {
    expect(emptyConversation(dialect, body as Json)).toBeUndefined()
  })
})

const read = (dialect: 'openai-chat' | 'openai-responses', messages: object[]): ChatRequest => {
  const known = dialectOf(dialect)
  if (!isDialect(known)) throw new TypeError('no dialect of callers')
  const field = dialect === 'openai-chat' ? 'messages' : 'input'
  const result = known.decodeRequest({ model: 'm', [field]: messages })
  if (!result.ok) throw new Error(result.hint)
  return result.request
}

const upstreams = ['openai-chat', 'openai-responses', 'anthropic', 'gemini', 'converse'] as const

/** The user's messages of a body in these dialects. */
const userMessages = (body: Json): Json[] =>
  (body.messages ?? body.input ?? body.contents).filter((each: Json) => each.role === 'user')

describe.each(['openai-chat', 'openai-responses'] as const)('instructions alone in %s', from => {
  it.each(upstreams.filter(each => each !== from))('are a message of the user to %s', to => {
    for (const role of ['system', 'developer']) {
      const request = withUserMessage(read(from, [{ ...instruction, role }]))
      const { body, warnings } = dialectOf(to).encodeRequest(request)
      expect(JSON.stringify(userMessages(body))).toContain('Be a pirate.')
      expect(JSON.stringify(body).match(/Be a pirate/g)).toHaveLength(1)
      expect(warnings).toEqual([])
    }
  })

  it.each(upstreams.filter(each => each !== from))(
    'stay instructions to %s, but for the last',
    to => {
      const request = withUserMessage(
        read(from, [{ role: 'system', content: 'Be brief.' }, instruction]),
      )
      const { body } = dialectOf(to).encodeRequest(request)
      expect(JSON.stringify(userMessages(body))).not.toContain('Be brief.')
      expect(JSON.stringify(body)).toContain('Be brief.')
    },
  )
})

it('a request with a message is the same object', () => {
  const request = read('openai-chat', [instruction, { role: 'assistant', content: 'Arr.' }])
  expect(withUserMessage(request)).toBe(request)
})
