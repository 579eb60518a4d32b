import { expect, it } from 'vitest'
import { readLine } from './stream.ts'

it('text and usage are taken out of a line, everything else is passed over', () => {
  expect(readLine('data: {"choices":[{"delta":{"content":"Hi"}}]}\r')).toEqual({ text: 'Hi' })
  const usage = { prompt_tokens: 1, completion_tokens: 2 }
  expect(readLine(`data: ${JSON.stringify({ choices: [], usage })}`)).toEqual({ usage })
  expect(['', ': ping', 'event: x', 'data: [DONE]'].map(readLine)).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
  ])
})

it('an error in the middle of a stream is an error, in the words of the server', () => {
  expect(() => readLine('data: {"error":{"message":"The provider broke off."}}')).toThrow(
    'The provider broke off.',
  )
})
