import { expect, it } from 'vitest'
import type { Part } from '../canon.ts'
import { openaiChat } from './index.ts'

const dialectId = 'openai-chat'
const read = (message: object) => {
  const messages = [{ role: 'assistant', content: 'hi', ...message }]
  const result = openaiChat.decodeRequest({ model: 'm', messages })
  if (!result.ok) throw new Error(result.hint)
  expect(result.request.messages[0]).not.toHaveProperty('unknownFields')
  return result.request.messages[0]?.parts.filter(part => part.type === 'thinking')
}
const write = (parts: Part[]) => {
  const given: Part[] = [...parts, { type: 'text', text: 'hi' }]
  const { body } = openaiChat.encodeRequest({
    model: 'm',
    messages: [{ role: 'assistant', parts: given }],
  })
  const [{ role: _, content: __, ...rest }] = body.messages as [Record<string, unknown>]
  return rest
}
const keeping = (fields: object) => ({ unknownFields: { dialect: dialectId, fields } })
const thought = { type: 'reasoning.text', text: 'so', format: 'unknown', index: 0 }

// https://openrouter.ai/docs/guides/best-practices/reasoning-tokens#preserving-reasoning
it.each<[object, object | undefined]>([
  [{ reasoning_content: 'so' }, [{ type: 'thinking', text: 'so' }]],
  ...[
    ['anthropic', 'anthropic-claude-v1'],
    ['openai-responses', 'openai-responses-v1'],
    ['gemini', 'google-gemini-v1'],
    ['converse', 'bedrock-converse-v1'],
    [dialectId, 'unknown'],
  ].flatMap(([by, format]): [object, object][] => [
    [
      { reasoning_content: 'so', reasoning_details: [{ ...thought, signature: 's', format }] },
      [{ type: 'thinking', text: 'so', signature: { dialect: by, text: 's' } }],
    ],
    [
      { reasoning_details: [{ type: 'reasoning.encrypted', data: 'd', format, index: 0 }] },
      [{ type: 'thinking', text: '', redacted: true, signature: { dialect: by, text: 'd' } }],
    ],
  ]),
  [
    { reasoning_content: 'so', reasoning_details: [{ ...thought, id: 'r1', format: 'xai-v1' }] },
    [{ type: 'thinking', text: 'so', ...keeping({ id: 'r1', format: 'xai-v1' }) }],
  ],
  [
    {
      reasoning_content: 'sothen',
      reasoning_details: [thought, { ...thought, text: 'then', index: 1 }],
    },
    [
      { type: 'thinking', text: 'so' },
      { type: 'thinking', text: 'then' },
    ],
  ],
  [
    {
      reasoning_content: 'so',
      reasoning_details: [
        {
          type: 'reasoning.summary',
          summary: 'so',
          id: 'r1',
          format: 'openai-responses-v1',
          index: 0,
        },
      ],
    },
    undefined,
  ],
])('%j comes back to its vendor as it was', (message, parts) => {
  const thoughts = read(message)!
  if (parts) expect(thoughts).toEqual(parts)
  expect(write(thoughts)).toEqual(message)
})

it.each([
  [{ reasoning: 'so' }, [{ type: 'thinking', text: 'so' }]],
  [{ reasoning_content: 'so', reasoning: 'other' }, [{ type: 'thinking', text: 'so' }]],
  [{ reasoning_content: '', reasoning_details: [] }, []],
  [{ reasoning_content: 'so', reasoning_details: [] }, [{ type: 'thinking', text: 'so' }]],
  [{ reasoning_content: 'so', reasoning_details: 'x' }, [{ type: 'thinking', text: 'so' }]],
  [{ reasoning_details: [null] }, []],
  [
    { reasoning_details: [{ ...thought, id: null, signature: null, format: null }] },
    [{ type: 'thinking', text: 'so' }],
  ],
  // Streams tell the text beside the details.
  [
    {
      reasoning: 'so',
      reasoning_details: [
        { type: 'reasoning.encrypted', data: 'd', format: 'google-gemini-v1' },
        { type: 'reasoning.text', signature: 's', format: 'anthropic-claude-v1' },
      ],
    },
    [
      { type: 'thinking', text: '', redacted: true, signature: { dialect: 'gemini', text: 'd' } },
      { type: 'thinking', text: 'so', signature: { dialect: 'anthropic', text: 's' } },
    ],
  ],
  [
    { reasoning: 'so', reasoning_details: [{ type: 'reasoning.encrypted', data: 'd' }] },
    [
      { type: 'thinking', text: 'so' },
      { type: 'thinking', text: '', redacted: true, signature: { dialect: dialectId, text: 'd' } },
    ],
  ],
  [
    { reasoning: 'other', reasoning_details: [{ type: 'reasoning.text', text: 'so' }] },
    [{ type: 'thinking', text: 'so' }],
  ],
])('%j is read as %j', (message, parts) => {
  expect(read(message)).toEqual(parts)
})

it('what hides its text and has no proof is still told as hidden', () => {
  expect(write([{ type: 'thinking', text: '', redacted: true }])).toEqual({})
  expect(
    write([
      { type: 'thinking', text: '', redacted: true },
      { type: 'thinking', text: 'so' },
    ]),
  ).toEqual({
    reasoning_content: 'so',
    reasoning_details: [
      { type: 'reasoning.encrypted', data: '', format: 'unknown', index: 0 },
      { ...thought, index: 1 },
    ],
  })
})
