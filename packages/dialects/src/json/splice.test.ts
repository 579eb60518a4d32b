import { expect, it } from 'vitest'
import type { Edits } from '../parsed-request.ts'
import { readFieldRanges } from './field-ranges.ts'
import { splice } from './splice.ts'

const spliced = (body: Buffer, edits: Edits): Buffer => {
  const read = readFieldRanges(body, 0, body.length, [])
  if (!read.ok) throw new Error(read.hint)
  return splice({ body, fieldRanges: read.fieldRanges }, edits)
}

const body = '{ "a" : 1 ,\n"b":"é" , "c": [ 2 ] }'

// Spaces, numbers and order stay as the caller wrote them.
it.each<[string, Edits, string]>([
  [body, { b: '世界', c: { d: null } }, '{ "a" : 1 ,\n"b":"世界" , "c": {"d":null} }'],
  [body, { a: undefined }, '{ "b":"é" , "c": [ 2 ] }'],
  [body, { b: undefined }, '{ "a" : 1 ,\n"c": [ 2 ] }'],
  [body, { c: undefined }, '{ "a" : 1 ,\n"b":"é" }'],
  [body, { b: undefined, c: undefined }, '{ "a" : 1 }'],
  [body, { a: undefined, c: undefined }, '{ "b":"é" }'],
  [body, { a: undefined, b: undefined, c: undefined }, '{  }'],
  [body, { a: undefined, b: undefined, c: undefined, d: 1, e: 'é' }, '{ "d":1,"e":"é" }'],
  [body, { d: true, 'e"': [] }, '{ "a" : 1 ,\n"b":"é" , "c": [ 2 ],"d":true,"e\\"":[] }'],
  [body, { c: undefined, d: 0 }, '{ "a" : 1 ,\n"b":"é","d":0 }'],
  [' { } ', { a: 1, b: 2 }, ' {"a":1,"b":2 } '],
])('%s with %j', (before, edits, after) =>
  expect(spliced(Buffer.from(before), edits).toString()).toBe(after),
)

it('where nothing changes the bytes are the same ones', () => {
  const bytes = Buffer.from(body)
  expect(spliced(bytes, {})).toBe(bytes)
  expect(spliced(bytes, { a: 1, b: 'é', d: undefined })).toBe(bytes)
  expect(spliced(bytes, { c: [2] })).not.toBe(bytes)
})

it('any edits at once come to what they say', () => {
  const keys = ['a', 'b', 'c', 'd']
  const given = Object.fromEntries(keys.map(key => [key, { [key]: ['é'] }]))
  const bytes = Buffer.from(JSON.stringify(given, null, 1))
  const choices = [
    () => ({}),
    (key: string) => ({ [key]: undefined }),
    (key: string) => ({ [key]: 'ü' }),
  ]
  for (let seed = 0; seed < 3 ** 5; seed += 1) {
    const chosen = [...keys, 'new'].map((key, at) => choices[Math.floor(seed / 3 ** at) % 3]!(key))
    const edits: Edits = Object.assign({}, ...chosen)
    const expected = JSON.stringify({ ...given, ...edits })
    expect(JSON.stringify(JSON.parse(spliced(bytes, edits).toString()))).toBe(expected)
  }
})
