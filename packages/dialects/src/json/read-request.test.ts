import { expect, it } from 'vitest'
import { anthropic, gemini, openaiChat, openaiEmbeddings, openaiResponses } from '../index.ts'
import type { ByteRange } from '../parsed-request.ts'
import { invalid, isFilled, literal, readName, readTop, wholeNumber } from './read-request.ts'

const placed = (written: string): [body: Buffer, place: ByteRange] => {
  const body = Buffer.from(`:${written},]`)
  return [body, { keyStart: 0, start: 1, end: body.length - 2 }]
}

it('reads a body once: its keys, and a third of a token for each byte', () => {
  const body = Buffer.from('{"a":1,"bc":[]}')
  const top = readTop(body, [])
  expect(top).toMatchObject({ ok: true, promptTokens: 5, mediaTokens: 0 })
  expect(top.ok && [...top.fieldRanges.keys()]).toEqual(['a', 'bc'])
  expect(readTop(Buffer.from('{"a":1,"bc":[] }'), [])).toMatchObject({ promptTokens: 6 })
  const picture = Buffer.from(JSON.stringify({ data: 'A'.repeat(500), url: 'https://a.example/b' }))
  expect(readTop(picture, [])).toMatchObject({ promptTokens: Math.ceil(picture.length / 3) })
})

it.each([
  [Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]), 'unreadable', 'It is not UTF-8.'],
  [Buffer.from('{"A":1}'), 'ambiguous', "'a' is written in another way."],
  [Buffer.from('7'), 'unreadable', 'A JSON object is expected.'],
])('%s is refused', (body, reason, hint) =>
  expect(readTop(body, ['a'])).toEqual({ ok: false, reason, hint }),
)

it.each([
  ['name', 'get_weather-2', false],
  ['name', 'weather.', true],
  ['name', '.weather', true],
  ['name', 'get weather', true],
  ['name', '2nd', true],
  ['name', '', true],
  ['name', 'n'.repeat(64), false],
  ['name', 'n'.repeat(65), true],
  ['names', 'weather.', false],
  ...['call_id', 'tool_use_id', 'tool_call_id'].flatMap(
    (key): [key: string, value: string, isUnusual: boolean][] => [
      [key, '2nd', false],
      [key, 'call:0.', true],
      [key, 'a:', true],
      [key, 'i'.repeat(40), false],
      [key, 'i'.repeat(41), true],
    ],
  ),
])('some vendor may refuse %s “%s”: %s', (key, value, isUnusual) =>
  expect(readTop(Buffer.from(JSON.stringify({ list: [{ [key]: value }] })), [])).toMatchObject({
    hasUnusualToolText: isUnusual,
  }),
)

it('a refusal says why', () =>
  expect(invalid('No.')).toEqual({ ok: false, reason: 'invalid', hint: 'No.' }))

it.each([
  ['"gpt-4o"', 'gpt-4o'],
  ['"gp\\u0074"', 'gpt'],
  ['"é"', 'é'],
  ['""', undefined],
  ['7', undefined],
  ['["x"]', undefined],
  ['"\\ud800"', undefined],
  [`"${'m'.repeat(510)}"`, 'm'.repeat(510)],
  [`"${'m'.repeat(511)}"`, undefined],
])('the name %s is %j', (written, name) => expect(readName(...placed(written))).toBe(name))

it.each([
  ['true', 'true'],
  ['null', undefined],
  ['nul', 'nul'],
  ['1'.repeat(70), '1'.repeat(64)],
])('%s is taken as %j', (written, given) => expect(literal(...placed(written))).toBe(given))

it.each([
  ['0', 0],
  ['10', 10],
  ['1e1', 10],
  ['2.0', 2],
  ['-1', -1],
  ['null', undefined],
  ['11', 'wrong'],
  ['-2', 'wrong'],
  ['1.5', 'wrong'],
  ['1e400', 'wrong'],
  ['"1"', 'wrong'],
  ['true', 'wrong'],
  ['[]', 'wrong'],
])('%s as a whole number from -1 to 10 is %j', (written, number) =>
  expect(wholeNumber(...placed(written), -1, 10)).toBe(number),
)

it.each([
  ['[1]', true],
  ['[ [] ]', true],
  ['[]', false],
  ['[ \n]', false],
  ['{"a":1}', false],
  ['null', false],
])('%s is a list with something in it: %j', (written, is) =>
  expect(isFilled(...placed(written))).toBe(is),
)

it('what is absent is none of these', () => {
  const body = Buffer.from('[1]')
  expect([readName(body, undefined), literal(body, undefined)]).toEqual([undefined, undefined])
  expect(wholeNumber(body, undefined, 0, 9)).toBeUndefined()
  expect(isFilled(body, undefined)).toBe(false)
})

it('SEC-6 a model name with a NUL character or half a surrogate pair is refused', () => {
  for (const name of ['m\0', '\0', 'm\ud800'])
    for (const { read } of [openaiChat, openaiResponses, anthropic, openaiEmbeddings])
      expect(read(Buffer.from(JSON.stringify({ model: name, input: 'x' })))).toMatchObject({
        ok: false,
        reason: 'invalid',
      })
  const body = Buffer.from('{"contents":[]}')
  expect(gemini.read(body, { model: 'm\0', stream: false })).toMatchObject({ reason: 'invalid' })
})
