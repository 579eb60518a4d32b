import { expect, it } from 'vitest'
import { parseStreamLine } from './stream.ts'

it('reads text and usage from a line and ignores everything else', () => {
  expect(parseStreamLine('data: {"choices":[{"delta":{"content":"Hi"}}]}\r')).toEqual({
    text: 'Hi',
  })
  const usage = { prompt_tokens: 1, completion_tokens: 2 }
  expect(parseStreamLine(`data: ${JSON.stringify({ choices: [], usage })}`)).toEqual({ usage })
  expect(['', ': ping', 'event: x', 'data: [DONE]'].map(parseStreamLine)).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
  ])
})

it('an error in the middle of a stream throws with the message of the server', () => {
  expect(() => parseStreamLine('data: {"error":{"message":"The provider broke off."}}')).toThrow(
    'The provider broke off.',
  )
})
