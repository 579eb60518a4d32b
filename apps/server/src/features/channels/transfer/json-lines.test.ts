import { expect, it } from 'vitest'
import { jsonLines } from './json-lines.ts'

const linesOf = (text: string) => {
  const found = jsonLines(text)
  return 'lines' in found ? Object.fromEntries(found.lines) : found
}

it('each value has the line on which it or its name begins', () => {
  expect(linesOf('{\n"a": [\n1,\n{"b c": "x"}\n],\n\n"d\\n":\n null}\n')).toEqual({
    ...{ '': 1, a: 2, 'a.0': 3, 'a.1': 4, 'a.1.b c': 4, 'd\n': 7 },
  })
  expect(linesOf('[]')).toEqual({ '': 1 })
  expect(linesOf('{}')).toEqual({ '': 1 })
})

it('text that is not JSON has the line of its first error', () => {
  for (const [text, errorLine] of [
    ['', 1],
    ['{\n"a": 1,\n}', 3],
    ['{"a" 1}', 1],
    ['[1,\n2\n3]', 3],
    ['{"a": "b\nc"}', 1],
    ['[01]', 1],
    ['{}\n{}', 2],
    ['["\\x"]', 1],
    ["{'a': 1}", 1],
    ['[1,\n2', 2],
    ['['.repeat(100), 1],
  ] as const)
    expect([text, linesOf(text)]).toEqual([text, { errorLine }])
})

it('it accepts what JSON.parse accepts, and nothing else', () => {
  const texts = ['1', ' "a\\u00e9" ', '-0.5e+3', 'tru', '[1,]', '{"a":1,"a":2}', '{"a":}', 'NaN']
  texts.push(
    '"\u2028"',
    '"\u007f"',
    '"\u0085"',
    '"\t"',
    '[.5]',
    '[1.]',
    '\ufeff{}',
    '[null,true,false]',
  )
  for (const text of texts) {
    let isJson = true
    try {
      JSON.parse(text)
    } catch {
      isJson = false
    }
    expect([text, 'lines' in jsonLines(text)]).toEqual([text, isJson])
  }
})
