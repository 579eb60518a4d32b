import { expect, it } from 'vitest'
import { includesWords } from './escapes.ts'

const words = 'Credit balance "is" too low'
const hex = (text: string) =>
  [...text].map(each => `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')

it.each([
  ['as they are', JSON.stringify({ a: words })],
  ['in another case', JSON.stringify({ a: words.toUpperCase() })],
  ['with one letter escaped', `{"a":"Credit balance \\"is\\" too lo\\u0077"}`],
  ['escaped as a whole', `{"a":"${hex(words)}"}`],
  ['as the name of a field', JSON.stringify({ [words]: 1 })],
])('finds the words in a JSON text %s', (_how, body) => {
  expect(includesWords(Buffer.from(body), words)).toBe(true)
})

it('finds Chinese words that are escaped, and no words that are not there', () => {
  expect(includesWords(Buffer.from(`{"a":"${hex('账户已欠费')}"}`), '账户已欠费')).toBe(true)
  expect(includesWords(Buffer.from('{"a":"Credit balance"}'), words)).toBe(false)
})
