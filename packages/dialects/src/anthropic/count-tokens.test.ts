import { expect, it } from 'vitest'
import { anthropic } from './index.ts'

const counting = anthropic.tokenCounting!

// https://platform.claude.com/docs/en/api/messages/count_tokens
it('a count is asked for with the prompt, and without what only an answer needs', () => {
  const { body, warnings } = counting.encodeRequest({
    model: 'm',
    messages: [{ role: 'user', parts: [{ type: 'text', text: 'Hi' }] }],
    ...{ stream: true, outputMax: 9, temperature: 0.5, topP: 0.9, topK: 4, stop: ['END'] },
    ...{ user: 'u', tier: 'auto', seed: 1 },
    tools: [{ type: 'function', name: 'f' }],
  })
  expect(body).toStrictEqual({
    model: 'm',
    messages: [{ role: 'user', content: 'Hi' }],
    tools: [{ name: 'f', input_schema: { type: 'object' } }],
  })
  expect(warnings).toEqual([{ dropped: 'seed', dialect: 'anthropic' }])
})

it('a count is a number, and nothing else is one', () => {
  expect(counting.encodeResponse(7)).toEqual({ input_tokens: 7 })
  expect(counting.decodeAnswer({ input_tokens: 7 })).toBe(7)
  for (const body of [null, {}, { input_tokens: '7' }])
    expect(counting.decodeAnswer(body)).toBeUndefined()
})
