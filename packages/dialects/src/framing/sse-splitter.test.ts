import { expect, it } from 'vitest'
import { sseSplitter } from './sse-splitter.ts'

type Unit = [text: string, fields: number]

/** The units of a text, each with how many of its lines have fields, and what was begun and not ended. */
const cut = (chunks: readonly Buffer[]) => {
  const units: Unit[] = []
  const splitter = sseSplitter((bytes, start, end, fields) => {
    const text = bytes.toString('utf8', start, end)
    const before = units.at(-1)
    // The second half of a line end that was cut in two is a line group of its own.
    if (text === '\n' && before?.[0].endsWith('\r')) before[0] += text
    else units.push([text, fields])
  }, 8_000)
  expect(chunks.every(chunk => splitter.push(chunk))).toBe(true)
  return { units, rest: splitter.rest().toString() }
}

const long = `data: ${'long '.repeat(1_000)}\n`

// https://html.spec.whatwg.org/multipage/server-sent-events.html: a line ends with LF, CR, or both.
it.each<[Unit[], string]>([
  [[['data: 1\n\n', 1]], ''],
  [[['data: 1\r\r', 1]], 'da'],
  [[['data: 1\r\n\r\n', 1]], 'data: 2\r\n'],
  [[['event: e\rdata: 1\n\r\n', 2]], ''],
  [[['id: 1\nevent: e\r\ndata: 1\r\n\r\n', 3]], ': c'],
  // A comment before a frame does not wait for it; one inside belongs to it.
  [
    [
      [': c\n', 0],
      [': d\r\n', 0],
      ['data: 1\n: e\n\n', 2],
    ],
    '',
  ],
  [
    [
      ['\n', 0],
      ['\r\n', 0],
      [': c\r', 0],
      ['\r', 0],
      ['data: :\r\r', 1],
      ['id\n\n', 1],
    ],
    'x',
  ],
  [
    [
      [`${long}\n`, 1],
      [`id: 1\r${long}\n`, 2],
    ],
    long,
  ],
])('units are told apart, cut anywhere: case %#', (units, rest) => {
  const bytes = Buffer.from(units.map(([text]) => text).join('') + rest)
  const whole = { units, rest }
  expect(cut([bytes])).toEqual(whole)
  const nothing = Buffer.alloc(0)
  for (let at = 0; at <= bytes.length; at += bytes.length > 100 ? 997 : 1)
    expect(cut([bytes.subarray(0, at), nothing, bytes.subarray(at)])).toEqual(whole)
  expect(cut([...bytes].map(byte => Buffer.from([byte])))).toEqual(whole)
})

it('says so once what was begun is larger than allowed', () => {
  const splitter = sseSplitter(() => {}, 8)
  expect(splitter.push(Buffer.from('data: 12'))).toBe(true)
  expect(splitter.push(Buffer.from('3'))).toBe(false)
})
